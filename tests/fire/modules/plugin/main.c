// nonius: plugin=plugin.c flags=-rdynamic
// A plugin opened at run time has its own site table; shadows cross into it and back.
#include <dlfcn.h>
#include <stdio.h>

double host_plus(double a, double b) { return a + b; }

int main(void) {
    volatile double big = 1e17, small = 3;
    void *plugin = dlopen("./plugin.so", RTLD_NOW);
    if (!plugin) return puts(dlerror()), 2;
    double (*rest)(double, double) = (double (*)(double, double))dlsym(plugin, "rest");
    double (*sum)(double, double) = (double (*)(double, double))dlsym(plugin, "sum");
    printf("%g\n", rest(host_plus(big, small), big));
    printf("%g\n", sum(big, small) - big); //~ precision-loss: 52..53 bits lost
    dlclose(plugin);
}
