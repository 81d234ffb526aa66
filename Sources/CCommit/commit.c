#include "CCommit.h"

unsigned long long waymark_commit(void) {
    return WAYMARK_COMMIT;
}
