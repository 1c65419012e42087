#ifndef PLACARD_IMAGE_WORKER_H
#define PLACARD_IMAGE_WORKER_H

/// The exit statuses of the worker; `WorkerEnd` in Swift says what each means to a caller.
enum {
    PLACARD_IMAGE_DONE = 0,
    /// The picture can't be decoded.
    PLACARD_IMAGE_UNREADABLE = 65,
    /// The part to use isn't inside of the picture as it is seen.
    PLACARD_IMAGE_CROP_OUTSIDE = 66,
    /// libvips isn't installed, or is too old.
    PLACARD_IMAGE_LIBRARY_MISSING = 69,
    /// The input or output can't be read or written.
    PLACARD_IMAGE_BROKEN_PIPE = 74,
};

/// What to make of a picture.
typedef struct {
    /// `jpeg`, `png`, `webp` or `gif`: what the picture is, and what is made of it.
    const char *format;
    /// The widths to make, the largest first; a picture that is narrower isn't enlarged.
    const int *widths;
    int width_count;
    /// The part to use, in pixels after the orientation was applied; all of it where the width is 0.
    int crop_left, crop_top, crop_width, crop_height;
} placard_image_job;

/// Reads a picture from standard input and writes what was made of it to standard output.
///
/// Each picture that is made comes as four numbers of four bytes, the most significant first: width, height, frames and
/// length; then its bytes. The process gives up its rights to memory, time, files and other processes before it reads
/// anything, so it must do nothing else.
///
/// - Returns: The status to exit with.
int placard_image_worker_run(const placard_image_job *job);

#endif
