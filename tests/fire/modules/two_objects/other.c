double kept;
double plus(double a, double b) { return a + b; }
double minus(double a, double b) { return a - b; } //~ precision-loss: 52..53 bits lost
