// Code that Nonius has not seen.
static volatile double taken;
void hand_over(double x) { taken = x; }
