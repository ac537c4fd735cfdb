/* Makes each fsync and fdatasync of the process it is preloaded into take 5 ms longer, as on a slow disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static int slowly(const char *name, int file) {
  struct timespec five_milliseconds = {0, 5000000};
  nanosleep(&five_milliseconds, 0);
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
}

int fsync(int file) { return slowly("fsync", file); }

int fdatasync(int file) { return slowly("fdatasync", file); }
