// Reads and writes tensors as NumPy's .npy files.
#ifndef ROIPOOL_CLI_NPY_H_
#define ROIPOOL_CLI_NPY_H_

#include <string>

#include "array.h"
#include "output_file.h"

namespace roipool::cli {

/// NumPy has no bfloat16: its bits travel as uint16.
enum class Uint16 { kRejected, kIsBFloat16 };

/// Reads an array of a type that roipool knows. Throws UserError for every file that is not one, before memory is allocated for
/// it.
Array LoadNpy(const std::string& path, Uint16 uint16);

/// Writes the array (bfloat16 as uint16) to the temporary file; the caller commits. Throws UserError if it cannot be written.
void SaveNpy(const Array& array, const OutputFile& file);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_NPY_H_
