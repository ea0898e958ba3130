#include "widgets/common/job_progress.h"

#include "widgets/common/text.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

namespace voxelscribe::common {

int JobProgress::permille() const
{
    if (!(total > 0) || !std::isfinite(done))
        return -1;
    return static_cast<int>(std::clamp(done / total, 0.0, 1.0) * 1000);
}

QString JobProgress::text() const
{
    QStringList parts;
    if (!stage.isEmpty())
        parts << stage;
    if (permille() >= 0)
        parts << QStringLiteral("%1 %").arg(permille() / 10);
    if (const QString left = formatRemaining(etaSeconds); !left.isEmpty())
        parts << left;
    return parts.join(QStringLiteral(" · "));
}

} // namespace voxelscribe::common
