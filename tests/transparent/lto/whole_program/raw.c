double product(double a, double b);

double product_unseen(double a, double b) { return product(a, b) + product(b, 0.3); }
