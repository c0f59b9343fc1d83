typedef double (*callback)(double value, void *context);
double raw_apply(callback f, double value, void *context) { return f(value, context); }
