"""What orbit.c does, from Python: rebound_orbit.py FOLDER ECCENTRICITY MEAN_ANOMALY

FOLDER holds the package and librebound. Prints the mean anomaly that came back.
"""

import sys

sys.path.insert(0, sys.argv[1])
import rebound

simulation = rebound.Simulation()
simulation.add(m=1.0)
simulation.add(a=1.0, e=float(sys.argv[2]), M=float(sys.argv[3]))
print(simulation.particles[1].orbit().M)
