struct state { double sum; };
void library_add(struct state *s, double x) { s->sum += x; }
double library_minus(double a, double b) { return a - b; } //~ precision-loss: 52..53 bits lost
