// Live streams that are open at the same time, and when each of them is told of something.
#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { OPENING = 100, PATIENCE = 60 };

struct stream {
    int socket, has_event, seen;
    const char *request;
    long length;
    int64_t told;
};

static const char event[] = "event: changed";
static struct stream *all;
static long stream_count, told;
static int poll;

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) give_up(path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *content = malloc(size + 1);
    if (fread(content, 1, size, file) != (size_t)size) give_up(path);
    content[size] = 0;
    fclose(file);
    return content;
}

/// Looks for the event in what came; it may come in pieces.
static void receive(struct stream *it, int64_t time) {
    char data[8192];
    long count = recv(it->socket, data, sizeof data, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) give_up("a stream ended");
    if (!it->has_event && count > 12 && !memcmp(data, "HTTP/1.1 ", 9) && memcmp(data + 9, "200", 3)) {
        fprintf(stderr, "load: a stream was refused: %.*s\n", (int)count, data);
        exit(1);
    }
    for (long at = 0; at < count; at++) {
        it->seen = data[at] == event[it->seen] ? it->seen + 1 : data[at] == event[0];
        if (event[it->seen]) continue;
        it->seen = 0;
        if (!it->told) told++, it->told = time;
        it->has_event = 1;
    }
}

/// Waits for what comes; returns whether something did.
static int step(int milliseconds) {
    struct epoll_event events[1024];
    int found = epoll_wait(poll, events, 1024, milliseconds);
    for (int number = 0; number < found; number++) {
        struct stream *it = &all[events[number].data.u64];
        if (events[number].events & EPOLLOUT) {
            if (send(it->socket, it->request, it->length, MSG_NOSIGNAL) != it->length) give_up("send");
            watch(poll, it->socket, EPOLLIN, it - all);
        } else {
            // The moment at which it is read: a client that many streams share is late, and that counts too.
            receive(it, now());
        }
    }
    return found > 0;
}

static int compare(const void *one, const void *other) {
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

static void report(void) {
    int64_t *times = malloc(stream_count * sizeof *times);
    long count = 0;
    for (long number = 0; number < stream_count; number++) {
        if (all[number].told) times[count++] = all[number].told;
    }
    qsort(times, count, sizeof *times, compare);
    printf("{\"told\": %ld, \"times\": [", count);
    // A hundred quantiles and the last are enough for a curve.
    for (int part = 0; count && part <= 200; part++) {
        printf("%s%lld", part ? ", " : "", (long long)times[(long)(part / 200.0 * (count - 1) + 0.5)]);
    }
    puts("]}");
    fflush(stdout);
    free(times);
}

static void open_all(int port, char *content) {
    poll = epoll_create1(0);
    for (long number = 0; number < stream_count; number++) {
        char *start;
        long length = strtol(content, &start, 10);
        if (start == content) give_up("too few requests");
        all[number] = (struct stream){.socket = connect_to(port), .request = start + 1, .length = length};
        content = start + 1 + length;
        watch(poll, all[number].socket, EPOLLOUT, number);
        int64_t patience = now() + PATIENCE * 1000000000LL;
        while (number - told >= OPENING) {
            step(100);
            if (now() > patience) give_up("streams don't open");
        }
    }
    int64_t patience = now() + PATIENCE * 1000000000LL;
    while (told < stream_count) {
        step(100);
        if (now() > patience) give_up("streams don't open");
    }
    // What the last ones are told of by others comes too.
    while (step(500)) {}
}

int streams(int count, char **arguments) {
    (void)count;
    stream_count = atol(arguments[3]);
    all = calloc(stream_count, sizeof *all);
    open_all(atoi(arguments[2]), read_file(arguments[4]));
    puts("open");
    fflush(stdout);
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        while (step(0)) {}
        for (long number = 0; number < stream_count; number++) all[number].told = 0;
        told = 0;
        puts("ready");
        fflush(stdout);
        int64_t patience = now() + PATIENCE * 1000000000LL;
        while (told < stream_count && now() < patience) step(100);
        report();
    }
    return 0;
}
