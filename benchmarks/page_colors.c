/* Whether what looks like one piece of memory is one: a host may back a huge page by small ones.
 *
 * Run: cc -O2 benchmarks/page_colors.c -o /tmp/page_colors && /tmp/page_colors
 *
 * Lines STRIDE bytes apart fall into one set of a cache of WAYS x STRIDE bytes where the memory is
 * one piece (1 MiB of L2, 16 ways: Cascade Lake), so that a chain through more than WAYS of them is
 * read from the next cache. Where each 4 KiB lie elsewhere they spread over all sets, and it is not.
 * Printed are the nanoseconds of a load: for chains through so many lines, in each of ten huge
 * pages, and for chains in random order through so many KiB, to tell the caches by.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { STRIDE = 64 << 10, LINE = 64, HUGE_PAGE = 2 << 20, APART = 6 << 20, PLACES = 10, LOADS = 4000, TURNS = 7 };

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

static double follow(void *chain, int length) {
    void *volatile *at = chain;
    for (int load = 0; load < 3 * length + LOADS; load++) at = *at;
    double shortest = 1e18;
    for (int turn = 0; turn < TURNS; turn++) {
        double start = nanoseconds();
        for (int load = 0; load < LOADS; load++) at = *at;
        double took = nanoseconds() - start;
        if (took < shortest) shortest = took;
    }
    return shortest / LOADS;
}

static void strided(char *page, int lines) {
    for (int line = 0; line < lines; line++)
        *(void **)(page + (size_t)line * STRIDE) = page + (size_t)((line + 1) % lines) * STRIDE;
    printf("  %d: %.1f", lines, follow(page, lines));
}

static void shuffled(char *memory, int kib) {
    int lines = kib * 1024 / LINE, *order = malloc(lines * sizeof *order);
    for (int line = 0; line < lines; line++) order[line] = line;
    for (int line = lines - 1; line > 0; line--) {
        int other = rand() % (line + 1), held = order[line];
        order[line] = order[other];
        order[other] = held;
    }
    for (int line = 0; line < lines; line++)
        *(void **)(memory + (size_t)order[line] * LINE) = memory + (size_t)order[(line + 1) % lines] * LINE;
    printf("  %d KiB: %.1f", kib, follow(memory, lines));
    free(order);
}

int main(void) {
    size_t size = (size_t)PLACES * APART;
    char *mapped = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return perror("mmap"), 1;
    char *memory = (char *)(((uintptr_t)mapped + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1));
    madvise(memory, size, MADV_HUGEPAGE);
    memset(memory, 0, size);
    for (int place = 0; place < PLACES; place++) {
        for (int lines = 4; lines <= 64; lines *= 2) strided(memory + (size_t)place * APART, lines);
        puts("");
    }
    for (int kib = 16; kib <= 16384; kib *= 4) shuffled(memory, kib);
    puts("");
}
