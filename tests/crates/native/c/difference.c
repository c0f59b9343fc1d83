double difference(double x, double y) { return (x + y) - x; }
