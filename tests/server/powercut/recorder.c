/* Preloaded into a program, writes down every change it makes to files below POWERCUT_ROOT, in order, into the file
   POWERCUT_LOG. A record is a header and its payload; `disk.py` reads them. Syncing is recorded and not done: only
   what the program asked for matters here, and it is a thousand times faster. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MAX_FILES = 4096 };

struct header {
    int32_t kind, file;
    int64_t offset, size;
};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char watched[MAX_FILES];
static int record_file = -1;

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static int recording(void) {
    if (record_file < 0 && getenv("POWERCUT_LOG"))
        record_file = syscall(SYS_openat, AT_FDCWD, getenv("POWERCUT_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    return record_file >= 0;
}

static void record(char kind, int file, int64_t offset, const void *payload, size_t size) {
    struct header header = {kind, file, offset, (int64_t)size};
    struct iovec parts[2] = {{&header, sizeof header}, {(void *)payload, size}};
    if (syscall(SYS_writev, record_file, parts, 2) != (long)(sizeof header + size)) abort();
}

/* The absolute name of a path below the root, or 0. */
static int below_root(int folder, const char *path, char *full) {
    const char *root = getenv("POWERCUT_ROOT");
    char start[PATH_MAX] = "";
    if (!root || !path || !recording()) return 0;
    if (path[0] != '/') {
        if (folder == AT_FDCWD) {
            if (!getcwd(start, sizeof start)) return 0;
        } else {
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
            ssize_t length = readlink(link, start, sizeof start - 1);
            if (length < 0) return 0;
            start[length] = 0;
        }
        if (snprintf(full, PATH_MAX, "%s/%s", start, path) >= PATH_MAX) return 0;
    } else if (snprintf(full, PATH_MAX, "%s", path) >= PATH_MAX) {
        return 0;
    }
    size_t length = strlen(root);
    return strncmp(full, root, length) == 0 && (full[length] == '/' || full[length] == 0);
}

static int open_recorded(int folder, const char *path, int flags, mode_t mode) {
    char full[PATH_MAX];
    struct stat found;
    if ((flags & O_TMPFILE) == O_TMPFILE || !below_root(folder, path, full))
        return syscall(SYS_openat, folder, path, flags, mode);
    pthread_mutex_lock(&turn);
    int existed = lstat(full, &found) == 0;
    int file = syscall(SYS_openat, folder, path, flags, mode), problem = errno;
    if (file >= 0 && file < MAX_FILES) {
        watched[file] = 1;
        record('O', file, (existed ? 0 : 1) | (flags & O_TRUNC ? 2 : 0), full, strlen(full));
    }
    pthread_mutex_unlock(&turn);
    errno = problem;
    return file;
}

#define OPEN(name, parameters, folder)                          \
    int name parameters {                                       \
        mode_t mode = 0;                                        \
        if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) { \
            va_list more;                                       \
            va_start(more, flags);                              \
            mode = va_arg(more, mode_t);                        \
            va_end(more);                                       \
        }                                                       \
        return open_recorded(folder, path, flags, mode);        \
    }
OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int folder, const char *path, int flags, ...), folder)
OPEN(openat64, (int folder, const char *path, int flags, ...), folder)

static int is_watched(int file) { return file >= 0 && file < MAX_FILES && watched[file]; }

int close(int file) {
    if (!is_watched(file)) return syscall(SYS_close, file);
    pthread_mutex_lock(&turn);
    watched[file] = 0;
    record('C', file, 0, "", 0);
    int result = syscall(SYS_close, file), problem = errno;
    pthread_mutex_unlock(&turn);
    errno = problem;
    return result;
}

static ssize_t write_recorded(int file, const void *bytes, size_t size, off_t offset) {
    pthread_mutex_lock(&turn);
    ssize_t done = offset < 0 ? syscall(SYS_write, file, bytes, size) : syscall(SYS_pwrite64, file, bytes, size, offset);
    int problem = errno;
    if (done > 0) {
        if (offset < 0) offset = lseek(file, 0, SEEK_CUR) - done;
        record('W', file, offset, bytes, done);
    }
    pthread_mutex_unlock(&turn);
    errno = problem;
    return done;
}

ssize_t write(int file, const void *bytes, size_t size) {
    return is_watched(file) ? write_recorded(file, bytes, size, -1) : syscall(SYS_write, file, bytes, size);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    return is_watched(file) ? write_recorded(file, bytes, size, offset) : syscall(SYS_pwrite64, file, bytes, size, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) { return pwrite(file, bytes, size, offset); }

/* Ways to write that are not recorded are refused; programs fall back to `write`. */
ssize_t sendfile(int out, int in, off_t *offset, size_t size) {
    if (!is_watched(out)) return REAL(sendfile)(out, in, offset, size);
    errno = EINVAL;
    return -1;
}

ssize_t sendfile64(int out, int in, off64_t *offset, size_t size) { return sendfile(out, in, offset, size); }

ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t size, unsigned flags) {
    if (!is_watched(out)) return REAL(copy_file_range)(in, from, out, to, size, flags);
    errno = ENOSYS;
    return -1;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    if (!is_watched(file)) return syscall(SYS_writev, file, parts, count);
    return count ? write(file, parts[0].iov_base, parts[0].iov_len) : 0;
}

int ftruncate(int file, off_t size) {
    if (!is_watched(file)) return syscall(SYS_ftruncate, file, size);
    pthread_mutex_lock(&turn);
    int result = syscall(SYS_ftruncate, file, size), problem = errno;
    if (result == 0) record('T', file, size, "", 0);
    pthread_mutex_unlock(&turn);
    errno = problem;
    return result;
}

int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }

int fsync(int file) {
    if (!is_watched(file)) return syscall(SYS_fsync, file);
    pthread_mutex_lock(&turn);
    record('S', file, 0, "", 0);
    pthread_mutex_unlock(&turn);
    return 0;
}

int fdatasync(int file) { return fsync(file); }

static int name_recorded(char kind, int folder, const char *path, int result_of(int, const char *, int), int extra) {
    char full[PATH_MAX];
    if (!below_root(folder, path, full)) return result_of(folder, path, extra);
    pthread_mutex_lock(&turn);
    int result = result_of(folder, path, extra), problem = errno;
    if (result == 0) record(kind, -1, 0, full, strlen(full));
    pthread_mutex_unlock(&turn);
    errno = problem;
    return result;
}

static int do_unlink(int folder, const char *path, int flags) { return syscall(SYS_unlinkat, folder, path, flags); }
static int do_mkdir(int folder, const char *path, int mode) { return syscall(SYS_mkdirat, folder, path, mode); }

int unlink(const char *path) { return name_recorded('U', AT_FDCWD, path, do_unlink, 0); }
int unlinkat(int folder, const char *path, int flags) { return name_recorded('U', folder, path, do_unlink, flags); }
int rmdir(const char *path) { return name_recorded('U', AT_FDCWD, path, do_unlink, AT_REMOVEDIR); }
int remove(const char *path) { return unlink(path) == 0 ? 0 : rmdir(path); }
int mkdir(const char *path, mode_t mode) { return name_recorded('M', AT_FDCWD, path, do_mkdir, (int)mode); }
int mkdirat(int folder, const char *path, mode_t mode) { return name_recorded('M', folder, path, do_mkdir, (int)mode); }

static int two_names(char kind, int from, const char *old, int to, const char *fresh, int flags) {
    char both[2 * PATH_MAX], first[PATH_MAX], second[PATH_MAX];
    int known = below_root(from, old, first) && below_root(to, fresh, second);
    pthread_mutex_lock(&turn);
    int result = kind == 'R' ? syscall(SYS_renameat2, from, old, to, fresh, flags)
                             : syscall(SYS_linkat, from, old, to, fresh, flags);
    int problem = errno;
    if (known && result == 0) {
        int size = snprintf(both, sizeof both, "%s%c%s", first, 0, second);
        record(kind, -1, 0, both, size);
    }
    pthread_mutex_unlock(&turn);
    errno = problem;
    return result;
}

int rename(const char *old, const char *fresh) { return two_names('R', AT_FDCWD, old, AT_FDCWD, fresh, 0); }
int renameat(int from, const char *old, int to, const char *fresh) { return two_names('R', from, old, to, fresh, 0); }
int link(const char *old, const char *fresh) { return two_names('L', AT_FDCWD, old, AT_FDCWD, fresh, 0); }
int linkat(int from, const char *old, int to, const char *fresh, int flags) {
    return two_names('L', from, old, to, fresh, flags);
}
