#include "image_worker.h"
#include "vips_functions.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
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
    // A second before the end that can't be caught, so that the status says that it was the time.
    const struct rlimit seconds = {seconds_limit, seconds_limit + 1};
    (void)setrlimit(RLIMIT_CPU, &seconds);
    limit(RLIMIT_FSIZE, 0);
    // A library that tries a file finds that it can't write one, and goes on without.
    (void)signal(SIGXFSZ, SIG_IGN);
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

// Whether the part is inside of the picture as it is seen.
static int has_part(const placard_image_job *job, VipsImage *image) {
    return job->crop_width <= vips.vips_image_get_width(image) - job->crop_left
        && job->crop_height <= vips.vips_image_get_height(image) - job->crop_top;
}

static int load_part(const placard_image_job *job, void *bytes, size_t length, VipsImage **part) {
    VipsImage *next = NULL;
    VipsImage *image = vips.vips_image_new_from_buffer(bytes, length, "", "fail_on", VIPS_FAIL_ON_TRUNCATED, NULL);
    if (!image) return PLACARD_IMAGE_UNREADABLE;
    int failure = vips.vips_autorot(image, &next, NULL);
    image = next_image(image, next, failure);
    if (!image) return PLACARD_IMAGE_UNREADABLE;
    if (!has_part(job, image)) {
        vips.g_object_unref(image);
        return PLACARD_IMAGE_CROP_OUTSIDE;
    }
    failure =
        vips.vips_extract_area(image, &next, job->crop_left, job->crop_top, job->crop_width, job->crop_height, NULL);
    *part = next_image(image, next, failure);
    return *part ? PLACARD_IMAGE_DONE : PLACARD_IMAGE_UNREADABLE;
}

static int has_profile(VipsImage *image) { return vips.vips_image_get_typeof(image, "icc-profile-data") != 0; }

// Colours are converted where the picture says what they mean. Others are taken for sRGB, and so are those of a picture
// whose profile is for other channels than it has, or is damaged: browsers show such a picture without it, too.
static VipsImage *shrink_image(VipsImage *image, int width) {
    VipsImage *next = NULL;
    if (has_profile(image)) {
        if (vips.vips_thumbnail_image(image, &next, width, "height", height_limit, "size", VIPS_SIZE_DOWN, "no_rotate",
                1, "export_profile", "srgb", "intent", VIPS_INTENT_RELATIVE, NULL) == 0) {
            return next_image(image, next, 0);
        }
        vips.vips_error_clear();
    }
    int failure = vips.vips_thumbnail_image(image, &next, width, "height", height_limit, "size", VIPS_SIZE_DOWN,
                                            "no_rotate", 1, NULL);
    return next_image(image, next, failure);
}

static int shrink_part(const placard_image_job *job, void *bytes, size_t length, int width, VipsImage **result) {
    VipsImage *image = NULL;
    int status = load_part(job, bytes, length, &image);
    if (status != PLACARD_IMAGE_DONE) return status;
    *result = shrink_image(image, width);
    return *result ? PLACARD_IMAGE_DONE : PLACARD_IMAGE_UNREADABLE;
}

// A JPEG or WebP is decoded at less than its size where that is enough.
static int shrink_all(const placard_image_job *job, void *bytes, size_t length, int width, VipsImage **result) {
    // The loader is told here what to do with a file that is cut off: libvips 8.14 doesn't hand the thumbnail's
    // "fail_on" on.
    const char *options = has_frames(job->format) ? "[n=-1,fail_on=truncated]" : "[fail_on=truncated]";
    VipsImage *head = vips.vips_image_new_from_buffer(bytes, length, "", NULL);
    if (!head) return PLACARD_IMAGE_UNREADABLE;
    int is_converted = has_profile(head);
    vips.g_object_unref(head);
    // As in shrink_image.
    if (is_converted) {
        if (vips.vips_thumbnail_buffer(bytes, length, result, width, "option_string", options, "height", height_limit,
                "size", VIPS_SIZE_DOWN, "fail_on", VIPS_FAIL_ON_TRUNCATED, "export_profile", "srgb", "intent",
                VIPS_INTENT_RELATIVE, NULL) == 0) {
            return PLACARD_IMAGE_DONE;
        }
        vips.vips_error_clear();
    }
    int failure = vips.vips_thumbnail_buffer(bytes, length, result, width, "option_string", options, "height",
        height_limit, "size", VIPS_SIZE_DOWN, "fail_on", VIPS_FAIL_ON_TRUNCATED, NULL);
    return failure ? PLACARD_IMAGE_UNREADABLE : PLACARD_IMAGE_DONE;
}

// Whether a field says how the pixels are to be shown or read. Every other one goes: what cameras and programs write
// has too many names to list (a WebP gets a new EXIF chunk from each exif-ifd… field, and a PNG a text from each
// png-comment…).
static int is_needed(const char *field) {
    static const char *const needed[] = {"n-pages", "page-height", "delay", "loop", "gif-delay", "gif-loop",
                                         "vips-sequential"};
    for (size_t index = 0; index < sizeof needed / sizeof *needed; index++) {
        if (strcmp(field, needed[index]) == 0) return 1;
    }
    return 0;
}

static int remove_metadata(VipsImage *image) {
    char **fields = vips.vips_image_get_fields(image);
    if (!fields) return 0;
    for (char **field = fields; *field; field++) {
        // Width, height and the like stay: they are no metadata to libvips.
        if (!is_needed(*field)) (void)vips.vips_image_remove(image, *field);
    }
    vips.g_strfreev(fields);
    return 1;
}

// Returns the pixels with eight bits a channel and without what a camera or program wrote about them.
static VipsImage *plain(VipsImage *image) {
    VipsImage *next = NULL;
    int failure = vips.vips_colourspace(image, &next, VIPS_INTERPRETATION_SRGB, NULL);
    image = next_image(image, next, failure);
    if (!image) return NULL;
    // The resolution says what a camera or scanner was set to; nothing shows a picture by it.
    failure = vips.vips_copy(image, &next, "xres", 1.0, "yres", 1.0, NULL);
    image = next_image(image, next, failure);
    if (!image || remove_metadata(image)) return image;
    vips.g_object_unref(image);
    return NULL;
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
    VipsImage *image = NULL;
    int status = job->crop_width > 0 ? shrink_part(job, bytes, length, width, &image)
                                     : shrink_all(job, bytes, length, width, &image);
    if (status != PLACARD_IMAGE_DONE) return status;
    image = plain(image);
    if (!image) return PLACARD_IMAGE_UNREADABLE;
    status = write_image(image, job->format);
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
