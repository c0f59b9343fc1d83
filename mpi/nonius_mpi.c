/* All of the carrier, as one unit: nothing of it is seen but the functions that it wraps. */
#include "nonius_mpi.h"

#include "layout.c"
#include "shadows.c"
#include "companion.c"
#include "sends.c"
#include "receives.c"
#include "requests.c"
#include "persistent.c"
#include "moves.c"
#include "exchanges.c"
#include "reductions.c"
#include "restarted.c"
