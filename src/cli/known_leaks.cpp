// What LeakSanitizer shall not report when the program is built with AddressSanitizer: caches that fontconfig keeps to the end.
#if defined(__SANITIZE_ADDRESS__)

extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }

#endif
