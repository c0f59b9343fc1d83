// A colour channel from float to a byte: 40 steps of 0.01 give 101 where 102 is due.
#include <stdio.h>

__attribute__((noinline)) unsigned char channel(float x) {
    return (unsigned char)(x * 255.0f); //~ cast-flip @cast
}

int main(void) {
    volatile float step = 0.01f;
    float level = 0;
    for (int i = 0; i < 40; i++) level += step;
    printf("%d %d\n", channel(level), channel(0.5f));
}
