#include <sinew/text.h>
#include <time.h>
#include "base/platform/clock.h"
#include "base/platform/files.h"

const char* sn_writeNumBytes(uint64_t nbytes, char text[24])
{
    static const char units[] = " KMGTPE";
    int unit = 0;
    for (; nbytes && nbytes % 1024 == 0; nbytes /= 1024) unit++;
    snprintf(text, 24, "%llu%.*s", (unsigned long long)nbytes, unit > 0, units + unit);
    return text;
}

bool sn_writeLog(const char* path, const char* type, const char* msg)
{
    FILE* file = sn_openStream(path, "ab");
    if (!file) return false;
    char date[64] = "";
    struct tm local;
    const time_t now = time(NULL);
    if (sn_localTime(now, &local)) strftime(date, sizeof date, "%a %b %e %H:%M:%S %Y", &local);
    const bool written = fprintf(file, "%s\n%s: %s\n\n", date, type, msg) > 0;
    return fclose(file) == 0 && written;
}

void sn_printMat(FILE* out, const double* mat, int nr, int nc)
{
    for (int r = 0; r < nr; r++) {
        for (int c = 0; c < nc; c++) fprintf(out, "%.8f ", *mat++);
        fputc('\n', out);
    }
    fputc('\n', out);
}

void sn_printMatSparse(FILE* out, const double* mat, int nr, const int* rownnz, const int* rowadr,
                       const int* colind)
{
    for (int r = 0; r < nr; r++) {
        for (int k = rowadr[r]; k < rowadr[r] + rownnz[r]; k++)
            fprintf(out, "(%d %d): %9.6f  ", r, colind[k], mat[k]);
        fputc('\n', out);
    }
    fputc('\n', out);
}
