// The functions of libvips that are used, as its documentation declares them. The library is loaded when a picture is
// to be processed, by a process of its own: linked to the server, its hundred libraries would cost each command 70 ms
// and 20 MB.
#ifndef PLACARD_VIPS_FUNCTIONS_H
#define PLACARD_VIPS_FUNCTIONS_H

#include <stddef.h>

typedef struct _VipsImage VipsImage;

/// Values of libvips' enumerations.
enum {
    VIPS_SIZE_DOWN = 2,
    VIPS_FAIL_ON_TRUNCATED = 1,
    VIPS_INTENT_RELATIVE = 1,
    VIPS_INTERPRETATION_SRGB = 22,
};

/// Every function by its type and name.
#define VIPS_FUNCTIONS(F)                                                                                             \
    F(int, vips_init, (const char *))                                                                                 \
    F(int, vips_version, (int))                                                                                       \
    F(void, vips_concurrency_set, (int))                                                                              \
    F(void, vips_cache_set_max, (int))                                                                                \
    F(void, vips_block_untrusted_set, (int))                                                                          \
    F(void, vips_operation_block_set, (const char *, int))                                                            \
    F(int, vips_thumbnail_buffer, (void *, size_t, VipsImage **, int, ...))                                           \
    F(int, vips_thumbnail_image, (VipsImage *, VipsImage **, int, ...))                                               \
    F(VipsImage *, vips_image_new_from_buffer, (const void *, size_t, const char *, ...))                             \
    F(int, vips_autorot, (VipsImage *, VipsImage **, ...))                                                            \
    F(int, vips_extract_area, (VipsImage *, VipsImage **, int, int, int, int, ...))                                   \
    F(int, vips_colourspace, (VipsImage *, VipsImage **, int, ...))                                                   \
    F(int, vips_copy, (VipsImage *, VipsImage **, ...))                                                               \
    F(unsigned long, vips_image_get_typeof, (const VipsImage *, const char *))                                        \
    F(char **, vips_image_get_fields, (VipsImage *))                                                                  \
    F(int, vips_image_remove, (VipsImage *, const char *))                                                            \
    F(int, vips_image_get_width, (const VipsImage *))                                                                 \
    F(int, vips_image_get_height, (const VipsImage *))                                                                \
    F(int, vips_image_get_n_pages, (VipsImage *))                                                                     \
    F(int, vips_image_get_page_height, (VipsImage *))                                                                 \
    F(int, vips_image_write_to_buffer, (VipsImage *, const char *, void **, size_t *, ...))                           \
    F(const char *, vips_error_buffer, (void))                                                                        \
    F(void, vips_error_clear, (void))                                                                                 \
    F(void, g_object_unref, (void *))                                                                                 \
    F(void, g_free, (void *))                                                                                         \
    F(void, g_strfreev, (char **))

#define VIPS_DECLARE(type, name, parameters) type(*name) parameters;
/// The functions, once they are loaded.
typedef struct {
    VIPS_FUNCTIONS(VIPS_DECLARE)
} vips_functions;
#undef VIPS_DECLARE

#endif
