#pragma once

/// The commit that the program was built from: its first 12 hexadecimal digits as a number, or 0
/// if the builder did not set WAYMARK_COMMIT. In C, because only C takes a value from the manifest.
unsigned long long waymark_commit(void);
