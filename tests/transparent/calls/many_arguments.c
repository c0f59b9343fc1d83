// A call with 140 arguments of five types.
#include <stdio.h>

__attribute__((noinline)) static double all(long double p0, float p1, int p2, long p3, double p4, float p5, int p6,
    long double p7, double p8, float p9, int p10, long p11, double p12, float p13, long double p14, long p15,
    double p16, float p17, int p18, long p19, double p20, long double p21, int p22, long p23, double p24,
    float p25, int p26, long p27, long double p28, float p29, int p30, long p31, double p32, float p33, int p34,
    long double p35, double p36, float p37, int p38, long p39, double p40, float p41, long double p42, long p43,
    double p44, float p45, int p46, long p47, double p48, long double p49, int p50, long p51, double p52,
    float p53, int p54, long p55, long double p56, float p57, int p58, long p59, double p60, float p61, int p62,
    long double p63, double p64, float p65, int p66, long p67, double p68, float p69, long double p70, long p71,
    double p72, float p73, int p74, long p75, double p76, long double p77, int p78, long p79, double p80,
    float p81, int p82, long p83, long double p84, float p85, int p86, long p87, double p88, float p89, int p90,
    long double p91, double p92, float p93, int p94, long p95, double p96, float p97, long double p98, long p99,
    double p100, float p101, int p102, long p103, double p104, long double p105, int p106, long p107, double p108,
    float p109, int p110, long p111, long double p112, float p113, int p114, long p115, double p116, float p117,
    int p118, long double p119, double p120, float p121, int p122, long p123, double p124, float p125,
    long double p126, long p127, double p128, float p129, int p130, long p131, double p132, long double p133,
    int p134, long p135, double p136, float p137, int p138, long p139) {
    return (double)(p0 * 1 + p1 * 2 + p2 * 3 + p3 * 4 + p4 * 5 + p5 * 6 + p6 * 7 + p7 * 8 + p8 * 9 + p9 * 10 +
        p10 * 11 + p11 * 12 + p12 * 13 + p13 * 14 + p14 * 15 + p15 * 16 + p16 * 17 + p17 * 18 + p18 * 19 +
        p19 * 20 + p20 * 21 + p21 * 22 + p22 * 23 + p23 * 24 + p24 * 25 + p25 * 26 + p26 * 27 + p27 * 28 +
        p28 * 29 + p29 * 30 + p30 * 31 + p31 * 32 + p32 * 33 + p33 * 34 + p34 * 35 + p35 * 36 + p36 * 37 +
        p37 * 38 + p38 * 39 + p39 * 40 + p40 * 41 + p41 * 42 + p42 * 43 + p43 * 44 + p44 * 45 + p45 * 46 +
        p46 * 47 + p47 * 48 + p48 * 49 + p49 * 50 + p50 * 51 + p51 * 52 + p52 * 53 + p53 * 54 + p54 * 55 +
        p55 * 56 + p56 * 57 + p57 * 58 + p58 * 59 + p59 * 60 + p60 * 61 + p61 * 62 + p62 * 63 + p63 * 64 +
        p64 * 65 + p65 * 66 + p66 * 67 + p67 * 68 + p68 * 69 + p69 * 70 + p70 * 71 + p71 * 72 + p72 * 73 +
        p73 * 74 + p74 * 75 + p75 * 76 + p76 * 77 + p77 * 78 + p78 * 79 + p79 * 80 + p80 * 81 + p81 * 82 +
        p82 * 83 + p83 * 84 + p84 * 85 + p85 * 86 + p86 * 87 + p87 * 88 + p88 * 89 + p89 * 90 + p90 * 91 +
        p91 * 92 + p92 * 93 + p93 * 94 + p94 * 95 + p95 * 96 + p96 * 97 + p97 * 98 + p98 * 99 + p99 * 100 +
        p100 * 101 + p101 * 102 + p102 * 103 + p103 * 104 + p104 * 105 + p105 * 106 + p106 * 107 + p107 * 108 +
        p108 * 109 + p109 * 110 + p110 * 111 + p111 * 112 + p112 * 113 + p113 * 114 + p114 * 115 + p115 * 116 +
        p116 * 117 + p117 * 118 + p118 * 119 + p119 * 120 + p120 * 121 + p121 * 122 + p122 * 123 + p123 * 124 +
        p124 * 125 + p125 * 126 + p126 * 127 + p127 * 128 + p128 * 129 + p129 * 130 + p130 * 131 + p131 * 132 +
        p132 * 133 + p133 * 134 + p134 * 135 + p135 * 136 + p136 * 137 + p137 * 138 + p138 * 139 + p139 * 140);
}

int main(void) {
    volatile double in = 0.1;
    double x = in;
    float y = (float)in;
    printf("%a\n", all(x / 1, y * 2, 2, 3, x / 5, y * 6, 6, x / 8, x / 9, y * 10, 10, 11, x / 13, y * 14, x / 15,
        15, x / 17, y * 18, 18, 19, x / 21, x / 22, 22, 23, x / 25, y * 26, 26, 27, x / 29, y * 30, 30, 31, x / 33,
        y * 34, 34, x / 36, x / 37, y * 38, 38, 39, x / 41, y * 42, x / 43, 43, x / 45, y * 46, 46, 47, x / 49,
        x / 50, 50, 51, x / 53, y * 54, 54, 55, x / 57, y * 58, 58, 59, x / 61, y * 62, 62, x / 64, x / 65, y * 66,
        66, 67, x / 69, y * 70, x / 71, 71, x / 73, y * 74, 74, 75, x / 77, x / 78, 78, 79, x / 81, y * 82, 82, 83,
        x / 85, y * 86, 86, 87, x / 89, y * 90, 90, x / 92, x / 93, y * 94, 94, 95, x / 97, y * 98, x / 99, 99,
        x / 101, y * 102, 102, 103, x / 105, x / 106, 106, 107, x / 109, y * 110, 110, 111, x / 113, y * 114, 114,
        115, x / 117, y * 118, 118, x / 120, x / 121, y * 122, 122, 123, x / 125, y * 126, x / 127, 127, x / 129,
        y * 130, 130, 131, x / 133, x / 134, 134, 135, x / 137, y * 138, 138, 139));
}
