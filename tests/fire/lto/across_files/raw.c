double small_root(double b, double c);

double through_raw(double b, double c) { return small_root(b, c); }
