// nonius: flags=-Wno-psabi
// Vectors as arguments, results and struct members.
#include <stdio.h>

typedef float v3f __attribute__((ext_vector_type(3)));
typedef double v2 __attribute__((ext_vector_type(2)));
typedef double v4 __attribute__((ext_vector_type(4)));
struct body { v3f position; v4 state; float mass; };

__attribute__((noinline)) static v4 join(v2 a, v2 b) { return (v4){a.y, a.x, b.y, b.x}; }
__attribute__((noinline)) static v3f cross(v3f a, v3f b) { return a.yzx * b.zxy - a.zxy * b.yzx; }
__attribute__((noinline)) static struct body move(struct body b, v3f by) {
    b.position += by * b.mass;
    b.state = b.state.wzyx / 3;
    return b;
}

int main(void) {
    volatile double in = 0.3;
    v2 a = {in, 1 / in}, b = {in * in, -in};
    v4 c = join(a, b) * 2 - join(b, a);
    v3f x = {(float)in, 1, 2}, y = cross(x, x.zxy + 1);
    struct body body = move((struct body){x, c, 0.7f}, y);
    printf("%a %a %a %a\n", c.x, c.y, c.z, c.w);
    printf("%a %a %a\n", (double)y.x, (double)y.y, (double)y.z);
    printf("%a %a %a\n", (double)body.position.z, body.state.x, body.state.w);
}
