// nonius: flags=-frounding-math opt=O0,O1,O2,O3,O2-native,O3-native,O2-contract
// Programs that set the rounding mode: what may be contracted is contracted as the target does it, in every format, alone and in
// vectors.
#include "contracted.h"
