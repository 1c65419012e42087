// A client that takes little of the machine that it shares with what it measures: one thread, no allocation while it
// runs.
#include "load.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>

static const char usage[] = "usage: load requests PORT CONNECTIONS SECONDS RATE FILE [once]\n"
                            "  Sends the requests of FILE, each after its length in bytes and a line feed, over "
                            "connections that stay open. With a\n"
                            "  RATE of 0 each connection sends its next request when the last one is answered. "
                            "Otherwise RATE requests a second\n"
                            "  are due at even times, and a latency counts from when its request was due, whether or "
                            "not a connection was free.\n"
                            "  With `once` no request is sent twice.\n"
                            "usage: load streams PORT COUNT FILE\n"
                            "  Opens a stream with each of COUNT requests of FILE, and says `open`. After each line "
                            "that it reads it says `ready`,\n"
                            "  waits for an event on every stream, and says when how many had come.\n";

int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

void give_up(const char *what) {
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

int connect_to(int port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int opened = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), on = 1;
    if (opened < 0) give_up("socket");
    setsockopt(opened, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(opened, (struct sockaddr *)&address, sizeof address) < 0 && errno != EINPROGRESS) give_up("connect");
    return opened;
}

void watch(int poll, int socket, uint32_t events, uint64_t number) {
    struct epoll_event event = {.events = events, .data.u64 = number};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, socket, &event) < 0 && epoll_ctl(poll, EPOLL_CTL_MOD, socket, &event) < 0) {
        give_up("epoll_ctl");
    }
}

int main(int count, char **arguments) {
    if (count >= 7 && !strcmp(arguments[1], "requests")) return requests(count, arguments);
    if (count == 5 && !strcmp(arguments[1], "streams")) return streams(count, arguments);
    fputs(usage, stderr);
    return 2;
}
