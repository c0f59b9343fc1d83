// A cloth of masses and springs, written with small classes that inline away: vectors, operators, iterators.
// bench: group=classes size=60x700 quick=30x360
#include "kernel.h"
#include <algorithm>
#include <cmath>
#include <vector>

namespace {

template <typename T> struct Vec {
    T x{}, y{}, z{};

    Vec &operator+=(const Vec &o)
    {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
    Vec &operator-=(const Vec &o) { return *this += o * T(-1); }
    friend Vec operator+(Vec a, const Vec &b) { return a += b; }
    friend Vec operator-(Vec a, const Vec &b) { return a -= b; }
    friend Vec operator*(const Vec &a, T s) { return {a.x * s, a.y * s, a.z * s}; }
    T dot(const Vec &o) const { return x * o.x + y * o.y + z * o.z; }
    T length() const { return std::sqrt(dot(*this)); }
};

using Point = Vec<REAL>;

struct Mass {
    Point position, speed, force;
    REAL inverse = 1;
};

class Spring {
public:
    Spring(const std::vector<Mass> &masses, size_t a, size_t b)
        : first(a), second(b), rest((masses[a].position - masses[b].position).length())
    {
    }

    void pull(std::vector<Mass> &masses) const
    {
        Mass &a = masses[first], &b = masses[second];
        Point between = b.position - a.position;
        REAL length = between.length();
        Point force = between * (stiffness * (length - rest) / length);
        a.force += force;
        b.force -= force;
    }

private:
    static constexpr REAL stiffness = 40;
    size_t first, second;
    REAL rest;
};

class Cloth {
public:
    explicit Cloth(size_t n) : masses(n * n)
    {
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                masses[i * n + j].position = {REAL(j) + noise() / 4, REAL(i) + noise() / 4, noise() / 4};
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                if (j + 1 < n)
                    springs.emplace_back(masses, i * n + j, i * n + j + 1);
                if (i + 1 < n)
                    springs.emplace_back(masses, i * n + j, (i + 1) * n + j);
            }
        // The upper edge is nailed to the wall.
        std::for_each(masses.begin(), masses.begin() + n, [](Mass &m) { m.inverse = 0; });
    }

    __attribute__((noinline)) void step(REAL dt)
    {
        for (Mass &m : masses)
            m.force = Point{0, REAL(-0.5), REAL(0.125)} - m.speed * REAL(0.5);
        for (const Spring &s : springs)
            s.pull(masses);
        for (Mass &m : masses) {
            m.speed += m.force * (dt * m.inverse);
            m.position += m.speed * dt;
        }
    }

    void summarize() const
    {
        for (const Mass &m : masses)
            digest(&m.position.x, 3);
    }

private:
    std::vector<Mass> masses;
    std::vector<Spring> springs;
};

} // namespace

static void kernel(struct problem p)
{
    Cloth cloth(p.n);
    for (int rep = 0; rep < p.reps; rep++)
        for (int k = 0; k < 8; k++)
            cloth.step(REAL(0.01));
    cloth.summarize();
}
