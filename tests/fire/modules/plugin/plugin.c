double host_plus(double a, double b);
double rest(double a, double b) { return a - b; } //~ precision-loss: 52..53 bits lost
double sum(double a, double b) { return host_plus(a, b); }
