// Rays against spheres and triangles: short arithmetic between many branches.
// bench: group=branchy size=120x70 quick=60x35
#include "kernel.h"

enum { SHAPES = 24 };

struct vec {
    REAL x, y, z;
};
struct sphere {
    struct vec centre;
    REAL radius;
};
struct triangle {
    struct vec corner, edge1, edge2;
};
struct scene {
    struct sphere spheres[SHAPES];
    struct triangle triangles[SHAPES];
};

static inline struct vec minus(struct vec a, struct vec b) { return (struct vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline REAL dot(struct vec a, struct vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline struct vec cross(struct vec a, struct vec b)
{
    return (struct vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Distance along the ray, or a negative number for a miss.
HOT REAL hit_sphere(struct vec from, struct vec direction, const struct sphere *s)
{
    struct vec to = minus(s->centre, from);
    REAL along = dot(to, direction);
    if (along < 0)
        return -1;
    REAL gap = dot(to, to) - along * along, square = s->radius * s->radius;
    if (gap > square)
        return -1;
    return along - sqrt(square - gap);
}

HOT REAL hit_triangle(struct vec from, struct vec direction, const struct triangle *t)
{
    struct vec normal = cross(direction, t->edge2);
    REAL determinant = dot(t->edge1, normal);
    if (determinant > (REAL)-1e-4 && determinant < (REAL)1e-4)
        return -1;
    struct vec to = minus(from, t->corner);
    REAL u = dot(to, normal) / determinant;
    if (u < 0 || u > 1)
        return -1;
    struct vec q = cross(to, t->edge1);
    REAL v = dot(direction, q) / determinant;
    if (v < 0 || u + v > 1)
        return -1;
    return dot(t->edge2, q) / determinant;
}

HOT REAL trace(struct vec from, struct vec direction, const struct scene *scene)
{
    REAL nearest = 100;
    for (int i = 0; i < SHAPES; i++) {
        REAL distance = hit_sphere(from, direction, &scene->spheres[i]);
        if (distance > 0 && distance < nearest)
            nearest = distance;
        distance = hit_triangle(from, direction, &scene->triangles[i]);
        if (distance > 0 && distance < nearest)
            nearest = distance;
    }
    return nearest;
}

static struct vec somewhere(REAL depth, REAL spread)
{
    REAL x = noise(), y = noise(), z = noise();
    return (struct vec){(x - (REAL)0.5) * spread, (y - (REAL)0.5) * spread, depth + z * spread};
}

static void kernel(struct problem p)
{
    size_t n = p.n;
    struct scene scene;
    REAL *image = reals(n * n);
    for (int i = 0; i < SHAPES; i++) {
        scene.spheres[i] = (struct sphere){somewhere(6, 8), (REAL)0.5 + noise() / 2};
        scene.triangles[i] = (struct triangle){somewhere(6, 8), somewhere(0, 3), somewhere(0, 3)};
    }
    for (int rep = 0; rep < p.reps; rep++) {
        struct vec eye = {noise() / 8, noise() / 8, 0};
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                struct vec d = {(REAL)j / (REAL)n - (REAL)0.5, (REAL)i / (REAL)n - (REAL)0.5, 1};
                REAL length = sqrt(dot(d, d));
                d = (struct vec){d.x / length, d.y / length, d.z / length};
                image[i * n + j] = trace(eye, d, &scene);
            }
    }
    digest(image, n * n);
    free(image);
}
