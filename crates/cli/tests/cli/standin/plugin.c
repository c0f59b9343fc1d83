/* A pass plugin that changes nothing. It writes the options it was given to the file that
 * STANDIN_OPTIONS names, so that a test can tell that it was loaded and what it was told. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct plugin {
    uint32_t interface_version;
    const char *name, *version;
    void (*register_passes)(void *builder);
    void *before_code_generation;
};

static void register_passes(void *builder) {
    (void)builder;
    const char *path = getenv("STANDIN_OPTIONS"), *options = getenv("NONIUS_PASS_OPTIONS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fputs(options ? options : "(none)", file);
        fclose(file);
    }
}

struct plugin llvmGetPassPluginInfo(void) {
    return (struct plugin){2, "stand-in", "0", register_passes, NULL};
}
