#include "image_worker.h"
#include "vips_functions.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

// What a picture of 10 MB may cost: a progressive JPEG of 50 megapixels is decoded as a whole.
static const rlim_t memory_limit = (rlim_t)1536 << 20;
static const rlim_t seconds_limit = 30;
static const size_t input_limit = (size_t)16 << 20;
// Of a VipsImage: no picture that passes the check of its header is as high.
static const int height_limit = 100000;

static vips_functions vips;

// MARK: Rights

static void limit(int resource, rlim_t value) {
    struct rlimit limits = {value, value};
    (void)setrlimit(resource, &limits);
}

static void give_up_rights(void) {
    limit(RLIMIT_AS, memory_limit);
    limit(RLIMIT_CPU, seconds_limit);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_CORE, 0);
#ifdef __linux__
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    (void)prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0);
#endif
}

// MARK: Library

static int load_functions(void) {
#ifdef __APPLE__
    void *library = dlopen("libvips.42.dylib", RTLD_NOW | RTLD_LOCAL);
#else
    void *library = dlopen("libvips.so.42", RTLD_NOW | RTLD_LOCAL);
#endif
    if (!library) return 0;
    // A symbol of a library that libvips needs is found through its handle too.
#define VIPS_LOAD(type, name, parameters)                                                                             \
    *(void **)&vips.name = dlsym(library, #name);                                                                     \
    if (!vips.name) return 0;
    VIPS_FUNCTIONS(VIPS_LOAD)
#undef VIPS_LOAD
    return 1;
}

static int open_library(void) {
    if (!load_functions()) return 0;
    if (vips.vips_init("placard") != 0) return 0;
    vips.vips_concurrency_set(1);
    vips.vips_cache_set_max(0);
    // Nothing is read but the four formats, each by the one loader that is tested against hostile files.
    vips.vips_block_untrusted_set(1);
    vips.vips_operation_block_set("VipsForeignLoad", 1);
    vips.vips_operation_block_set("VipsForeignLoadJpeg", 0);
    vips.vips_operation_block_set("VipsForeignLoadPng", 0);
    vips.vips_operation_block_set("VipsForeignLoadWebp", 0);
    vips.vips_operation_block_set("VipsForeignLoadNsgif", 0);
    return 1;
}

// MARK: Input and output

static unsigned char *read_input(size_t *length) {
    size_t capacity = (size_t)1 << 20, count = 0;
    unsigned char *bytes = malloc(capacity);
    while (bytes) {
        if (count == capacity) {
            if (capacity >= input_limit) break;
            capacity *= 2;
            unsigned char *more = realloc(bytes, capacity);
            if (!more) break;
            bytes = more;
        }
        ssize_t got = read(STDIN_FILENO, bytes + count, capacity - count);
        if (got == 0) {
            *length = count;
            return bytes;
        }
        if (got < 0 && errno != EINTR) break;
        if (got > 0) count += (size_t)got;
    }
    free(bytes);
    return NULL;
}

static int write_all(const void *bytes, size_t length) {
    const unsigned char *next = bytes;
    while (length > 0) {
        ssize_t put = write(STDOUT_FILENO, next, length);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return 0;
        next += put;
        length -= (size_t)put;
    }
    return 1;
}

static int write_number(size_t value) {
    unsigned char bytes[4] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16), (unsigned char)(value >> 8),
                              (unsigned char)value};
    return write_all(bytes, sizeof bytes);
}

// MARK: Pictures

static const char *saver(const char *format) {
    if (strcmp(format, "jpeg") == 0) return ".jpg[Q=85,optimize_coding=true,interlace=true,strip=true]";
    if (strcmp(format, "png") == 0) return ".png[compression=8,strip=true]";
    if (strcmp(format, "webp") == 0) return ".webp[Q=84,alpha_q=90,strip=true]";
    if (strcmp(format, "gif") == 0) return ".gif[effort=6,strip=true]";
    return NULL;
}

// The loaders of the two formats that may be animated read one frame unless they are told to read all.
static int has_frames(const char *format) { return strcmp(format, "gif") == 0 || strcmp(format, "webp") == 0; }

// Gives up an image for the one that was made of it.
static VipsImage *next_image(VipsImage *image, VipsImage *next, int failure) {
    vips.g_object_unref(image);
    return failure ? NULL : next;
}

static VipsImage *load_part(const placard_image_job *job, void *bytes, size_t length) {
    VipsImage *next = NULL;
    VipsImage *image = vips.vips_image_new_from_buffer(bytes, length, "", "fail_on", VIPS_FAIL_ON_TRUNCATED, NULL);
    if (!image) return NULL;
    int failure = vips.vips_autorot(image, &next, NULL);
    image = next_image(image, next, failure);
    if (!image) return NULL;
    failure = vips.vips_extract_area(image, &next, job->crop_left, job->crop_top, job->crop_width, job->crop_height, NULL);
    return next_image(image, next, failure);
}

// Colours are converted where the picture says what they mean; others are taken for sRGB.
static VipsImage *shrink_image(VipsImage *image, int width) {
    VipsImage *next = NULL;
    int failure;
    if (vips.vips_image_get_typeof(image, "icc-profile-data") != 0) {
        failure = vips.vips_thumbnail_image(image, &next, width, "height", height_limit, "size", VIPS_SIZE_DOWN, "no_rotate",
                                            1, "export_profile", "srgb", "intent", VIPS_INTENT_RELATIVE, NULL);
    } else {
        failure = vips.vips_thumbnail_image(image, &next, width, "height", height_limit, "size", VIPS_SIZE_DOWN, "no_rotate",
                                            1, NULL);
    }
    return next_image(image, next, failure);
}

static VipsImage *shrink_part(const placard_image_job *job, void *bytes, size_t length, int width) {
    VipsImage *image = load_part(job, bytes, length);
    return image ? shrink_image(image, width) : NULL;
}

// A JPEG or WebP is decoded at less than its size where that is enough.
static VipsImage *shrink_all(const placard_image_job *job, void *bytes, size_t length, int width) {
    VipsImage *image = NULL;
    const char *options = has_frames(job->format) ? "[n=-1]" : "";
    VipsImage *head = vips.vips_image_new_from_buffer(bytes, length, "", NULL);
    if (!head) return NULL;
    int has_profile = vips.vips_image_get_typeof(head, "icc-profile-data") != 0;
    vips.g_object_unref(head);
    int failure;
    if (has_profile) {
        failure = vips.vips_thumbnail_buffer(bytes, length, &image, width, "option_string", options, "height", height_limit,
                                             "size", VIPS_SIZE_DOWN, "fail_on", VIPS_FAIL_ON_TRUNCATED, "export_profile",
                                             "srgb", "intent", VIPS_INTENT_RELATIVE, NULL);
    } else {
        failure = vips.vips_thumbnail_buffer(bytes, length, &image, width, "option_string", options, "height", height_limit,
                                             "size", VIPS_SIZE_DOWN, "fail_on", VIPS_FAIL_ON_TRUNCATED, NULL);
    }
    return failure ? NULL : image;
}

// Returns the pixels with eight bits a channel and without what a camera or program wrote about them.
static VipsImage *plain(VipsImage *image) {
    static const char *const metadata[] = {"icc-profile-data", "exif-data", "xmp-data", "iptc-data", "photoshop-data",
                                           "gif-comment", "png-comment-0-Comment"};
    VipsImage *next = NULL;
    int failure = vips.vips_colourspace(image, &next, VIPS_INTERPRETATION_SRGB, NULL);
    image = next_image(image, next, failure);
    if (!image) return NULL;
    failure = vips.vips_copy(image, &next, NULL);
    image = next_image(image, next, failure);
    if (!image) return NULL;
    for (size_t index = 0; index < sizeof metadata / sizeof *metadata; index++) {
        (void)vips.vips_image_remove(image, metadata[index]);
    }
    return image;
}

static int write_image(VipsImage *image, const char *format) {
    void *bytes = NULL;
    size_t length = 0;
    if (vips.vips_image_write_to_buffer(image, saver(format), &bytes, &length, NULL) != 0) {
        return PLACARD_IMAGE_UNREADABLE;
    }
    int pages = vips.vips_image_get_n_pages(image);
    int height = vips.vips_image_get_height(image);
    int page = vips.vips_image_get_page_height(image);
    // What says nothing of its pages, or the wrong thing, is one.
    int frames = pages > 1 && page > 0 && page < height ? height / page : 1;
    int is_written = write_number((size_t)vips.vips_image_get_width(image))
        && write_number((size_t)(height / frames)) && write_number((size_t)frames) && write_number(length)
        && write_all(bytes, length);
    vips.g_free(bytes);
    return is_written ? PLACARD_IMAGE_DONE : PLACARD_IMAGE_BROKEN_PIPE;
}

static int convert(const placard_image_job *job, void *bytes, size_t length, int width) {
    VipsImage *image = job->crop_width > 0 ? shrink_part(job, bytes, length, width) : shrink_all(job, bytes, length, width);
    image = image ? plain(image) : NULL;
    if (!image) return PLACARD_IMAGE_UNREADABLE;
    int status = write_image(image, job->format);
    vips.g_object_unref(image);
    return status;
}

int placard_image_worker_run(const placard_image_job *job) {
    if (!saver(job->format)) return PLACARD_IMAGE_UNREADABLE;
    give_up_rights();
    if (!open_library()) return PLACARD_IMAGE_LIBRARY_MISSING;
    size_t length = 0;
    unsigned char *bytes = read_input(&length);
    if (!bytes) return PLACARD_IMAGE_BROKEN_PIPE;
    int status = PLACARD_IMAGE_DONE;
    for (int index = 0; index < job->width_count && status == PLACARD_IMAGE_DONE; index++) {
        status = convert(job, bytes, length, job->widths[index]);
    }
    if (status == PLACARD_IMAGE_UNREADABLE) {
        const char *message = vips.vips_error_buffer();
        (void)write(STDERR_FILENO, message, strlen(message));
    }
    free(bytes);
    return status;
}
