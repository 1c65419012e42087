// Requests over connections that stay open, as fast as they are answered or at a fixed rate.
#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 1024, HEAD = 16384, TIMER = -1 };

struct text {
    const char *start;
    long length;
};

struct connection {
    int socket, has_head, is_chunked, status;
    struct text request;
    long sent, filled, left;
    int64_t due;
    char end[5];
    char head[HEAD];
};

static struct text *texts;
static long text_count, next_text;
static struct connection connections[MOST_CONNECTIONS];
static int idle[MOST_CONNECTIONS], idle_count;
static uint32_t *latencies;
static long answers, room, failures, bytes;
static int poll, once;
static char scratch[1 << 18];

static void read_texts(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) give_up(path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *content = malloc(size + 1);
    if (fread(content, 1, size, file) != (size_t)size) give_up(path);
    fclose(file);
    content[size] = 0;
    for (long at = 0, space = 0; at < size; text_count++) {
        char *start;
        long length = strtol(content + at, &start, 10);
        if (text_count == space) texts = realloc(texts, (space = space ? 2 * space : 1024) * sizeof *texts);
        texts[text_count] = (struct text){start + 1, length};
        at = start + 1 + length - content;
    }
    if (!text_count) give_up("no requests");
}

static void push(struct connection *it) {
    while (it->sent < it->request.length) {
        long sent = send(it->socket, it->request.start + it->sent, it->request.length - it->sent, MSG_NOSIGNAL);
        if (sent < 0 && errno == EAGAIN) return watch(poll, it->socket, EPOLLIN | EPOLLOUT, it - connections);
        if (sent < 0) give_up("send");
        it->sent += sent;
    }
    watch(poll, it->socket, EPOLLIN, it - connections);
}

static void begin(struct connection *it, int64_t due) {
    it->request = texts[next_text++ % text_count];
    it->sent = it->filled = it->left = it->has_head = 0;
    it->due = due;
    push(it);
}

/// The answer is there: its time counts, and the connection is free.
static void finish(struct connection *it) {
    if (it->status != 200 && it->status != 201) {
        if (!failures++) fprintf(stderr, "load: answered %d: %.300s\n", it->status, it->head);
    }
    if (answers == room) latencies = realloc(latencies, (room = room ? 2 * room : 1 << 16) * sizeof *latencies);
    latencies[answers++] = (now() - it->due) / 1000;
    idle[idle_count++] = it - connections;
}

static int ended(struct connection *it, const char *data, long count) {
    if (!it->is_chunked) return (it->left -= count) <= 0;
    for (long at = count > 5 ? count - 5 : 0; at < count; at++) {
        memmove(it->end, it->end + 1, 4);
        it->end[4] = data[at];
    }
    return !memcmp(it->end, "0\r\n\r\n", 5);
}

/// Takes what came; returns whether the answer is whole.
static int take(struct connection *it, const char *data, long count) {
    bytes += count;
    if (it->has_head) return ended(it, data, count);
    if (it->filled + count >= HEAD) {
        // A head and the first bytes of a body fit; what is beyond belongs to the body.
        long part = HEAD - 1 - it->filled;
        bytes -= count;
        return part > 0 && (take(it, data, part) || take(it, data + part, count - part));
    }
    memcpy(it->head + it->filled, data, count);
    it->filled += count;
    it->head[it->filled] = 0;
    char *end = strstr(it->head, "\r\n\r\n");
    if (!end) return 0;
    it->has_head = 1;
    it->status = atoi(it->head + 9);
    char *length = strcasestr(it->head, "\r\ncontent-length:");
    it->is_chunked = !(length && length < end);
    it->left = it->is_chunked ? 0 : atol(length + 17);
    memset(it->end, 0, sizeof it->end);
    return ended(it, end + 4, it->head + it->filled - end - 4);
}

static void receive(struct connection *it) {
    long count = recv(it->socket, scratch, sizeof scratch, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) give_up("the server closed a connection");
    if (take(it, scratch, count)) finish(it);
}

static int compare(const void *one, const void *other) {
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

static uint32_t quantile(double share) { return answers ? latencies[(long)(share * (answers - 1) + 0.5)] : 0; }

static void report(double seconds, long late) {
    qsort(latencies, answers, sizeof *latencies, compare);
    printf("{\"answers\": %ld, \"failed\": %ld, \"late\": %ld, \"seconds\": %.6f, \"bytes\": %ld, \"p50\": %u, "
           "\"p90\": %u, "
           "\"p99\": %u, \"p999\": %u, \"max\": %u}\n",
        answers, failures, late, seconds, bytes, quantile(0.5), quantile(0.9), quantile(0.99), quantile(0.999),
        quantile(1));
}

static int is_exhausted(void) { return once && next_text >= text_count; }

int requests(int count, char **arguments) {
    int port = atoi(arguments[2]), size = atoi(arguments[3]);
    double seconds = atof(arguments[4]), rate = atof(arguments[5]);
    once = count > 7;
    if (size < 1 || size > MOST_CONNECTIONS) give_up("connections");
    read_texts(arguments[6]);
    poll = epoll_create1(0);
    for (int number = 0; number < size; number++) {
        connections[number].socket = connect_to(port);
        watch(poll, connections[number].socket, EPOLLIN, number);
        idle[idle_count++] = number;
    }
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    watch(poll, timer, EPOLLIN, (uint64_t)TIMER);
    usleep(50000);
    struct epoll_event events[256];
    int64_t start = now(), end = start + (int64_t)(seconds * 1e9), last = start, armed = 0;
    long due = 0;
    while (1) {
        int64_t time = now();
        int is_over = time >= end || is_exhausted();
        while (!is_over && idle_count && !is_exhausted()) {
            int64_t moment = rate > 0 ? start + (int64_t)(due * 1e9 / rate) : time;
            if (moment > time) break;
            due++;
            begin(&connections[idle[--idle_count]], moment);
        }
        if (is_over && (idle_count == size || time > end + 10000000000LL)) break;
        // One moment more than is needed: when the next request is due, or when all is over.
        int64_t wake = rate > 0 && !is_over && idle_count ? start + (int64_t)(due * 1e9 / rate)
                       : is_over                          ? time + 100000000
                                                          : end;
        if (wake != armed) {
            struct itimerspec when = {.it_value = {wake / 1000000000, wake % 1000000000}};
            timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
            armed = wake;
        }
        int found = epoll_wait(poll, events, 256, 1000);
        for (int number = 0; number < found; number++) {
            if (events[number].data.u64 == (uint64_t)TIMER) {
                uint64_t times;
                if (read(timer, &times, sizeof times) < 0 && errno != EAGAIN) give_up("timer");
                armed = 0;
                continue;
            }
            struct connection *it = &connections[events[number].data.u64];
            if (events[number].events & EPOLLOUT) push(it);
            if (events[number].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) receive(it);
        }
        if (found > 0) last = now();
    }
    long wanted = rate > 0 ? (long)(seconds * rate) : due;
    double lasted = (rate > 0 ? last : (last < end ? last : end)) - start;
    report(lasted / 1e9, once && is_exhausted() ? 0 : wanted > due ? wanted - due : 0);
    return 0;
}
