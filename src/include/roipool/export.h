// Marks what the library offers; everything else in it is hidden.
#ifndef ROIPOOL_EXPORT_H_
#define ROIPOOL_EXPORT_H_

#if defined(__GNUC__)
#define ROIPOOL_EXPORT __attribute__((visibility("default")))
#else
#define ROIPOOL_EXPORT
#endif

#endif  // ROIPOOL_EXPORT_H_
