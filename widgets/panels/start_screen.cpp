#include "widgets/panels/start_screen.h"

#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/theme.h"
#include "widgets/panels/parts.h"
#include "widgets/panels/recent_row.h"

#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace voxelscribe::panels {

struct StartScreen::Impl {
    QPushButton* openFile = nullptr;
    QPushButton* openFolder = nullptr;
    QPushButton* sample = nullptr;
    QLabel* busyText = nullptr;
    QProgressBar* busyBar = nullptr;
    QLabel* recentHeading = nullptr;
    QWidget* recentBox = nullptr;
    QVBoxLayout* recent = nullptr;
    bool dropping = false;

    bool isBusy() const { return !openFile->isEnabled(); }

    void makeOpening(QWidget* column, QVBoxLayout* inside)
    {
        openFile = makeButton(QStringLiteral("open-file"), tr("Open file…"), tr("Open an image stack: TIFF, HDF5, NeXus or Zarr (Ctrl+O)"), column);
        openFile->setIcon(common::icon(QStringLiteral("open-file"), QPalette::HighlightedText));
        openFolder = makeButton(QStringLiteral("open-folder"), tr("Open folder…"), tr("Open a folder of slices, a Zarr or a project (Ctrl+Shift+O)"), column);
        sample = makeButton(QStringLiteral("sample"), tr("Try the sample"), tr("Make a small simulated stack and open it"), column);
        common::setPrimary(openFile, true);
        auto* buttons = new QHBoxLayout;
        buttons->setSpacing(10);
        for (QPushButton* button : {openFile, openFolder, sample}) {
            button->setProperty("large", true);
            buttons->addWidget(button, 1);
        }
        inside->addLayout(buttons);
        inside->addWidget(common::makeNote(
            tr("… or drop a file or folder anywhere here. Nothing is changed in your image, and every stroke is saved by itself."), column));
        busyText = new QLabel(column);
        busyText->setObjectName(QStringLiteral("busyText"));
        busyText->setWordWrap(true);
        busyBar = makeProgressBar(tr("Opening"), column);
        showPermille(busyBar, -1);
        inside->addWidget(busyText);
        inside->addWidget(busyBar);
    }

    void makeRecent(QWidget* column, QVBoxLayout* inside)
    {
        recentHeading = common::makeHeading(tr("Recent projects"), column);
        inside->addWidget(recentHeading);
        auto* scroll = new QScrollArea(column);
        scroll->setWidgetResizable(true);
        scroll->setFocusPolicy(Qt::NoFocus);
        recentBox = new QWidget;
        recent = new QVBoxLayout(recentBox);
        recent->setContentsMargins(0, 0, 0, 0);
        recent->setSpacing(2);
        scroll->setWidget(recentBox);
        // setWidget turns both backgrounds on; the screen's own shall show through.
        scroll->viewport()->setAutoFillBackground(false);
        recentBox->setAutoFillBackground(false);
        inside->addWidget(scroll, 1);
    }

    static QString tr(const char* text) { return StartScreen::tr(text); }
};

namespace {

QLabel* makeTitle(QWidget* parent)
{
    auto* title = new QLabel(StartScreen::tr("Voxelscribe"), parent);
    QFont font = title->font();
    font.setPointSizeF(font.pointSizeF() * 2.2);
    font.setWeight(QFont::DemiBold);
    title->setFont(font);
    return title;
}

QHBoxLayout* makeHead(QWidget* parent)
{
    auto* symbol = new QLabel(parent);
    symbol->setPixmap(common::applicationIcon().pixmap(QSize(72, 72), parent->devicePixelRatioF()));
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(makeTitle(parent));
    words->addWidget(common::makeNote(
        StartScreen::tr("Paint a few strokes, and segment the whole image stack."), parent));
    auto* head = new QHBoxLayout;
    head->setSpacing(18);
    head->addWidget(symbol);
    head->addLayout(words, 1);
    return head;
}

QString droppedPath(const QMimeData* data)
{
    for (const QUrl& url : data->urls())
        if (url.isLocalFile())
            return url.toLocalFile();
    return {};
}

} // namespace

StartScreen::StartScreen(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("startScreen"));
    setAccessibleName(tr("Start"));
    setAcceptDrops(true);
    Impl& d = *m_impl;
    auto* column = new QWidget(this);
    column->setMaximumWidth(640);
    auto* inside = new QVBoxLayout(column);
    inside->setContentsMargins(0, 0, 0, 0);
    inside->setSpacing(10);
    inside->addLayout(makeHead(column));
    inside->addSpacing(18);
    d.makeOpening(column, inside);
    inside->addSpacing(18);
    d.makeRecent(column, inside);

    auto* middle = new QVBoxLayout;
    middle->addStretch(2);
    middle->addWidget(column, 5);
    middle->addStretch(1);
    auto* around = new QHBoxLayout(this);
    around->setContentsMargins(32, 0, 32, 0);
    around->addStretch(1);
    around->addLayout(middle, 12);
    around->addStretch(1);

    connect(d.openFile, &QPushButton::clicked, this, &StartScreen::openFileDialogRequested);
    connect(d.openFolder, &QPushButton::clicked, this, &StartScreen::openFolderDialogRequested);
    connect(d.sample, &QPushButton::clicked, this, &StartScreen::sampleRequested);
    setBusy({});
    setRecentProjects({});
}

StartScreen::~StartScreen() = default;

void StartScreen::setRecentProjects(const std::vector<RecentProject>& projects)
{
    Impl& d = *m_impl;
    clearLayout(d.recent);
    for (const RecentProject& project : projects) {
        auto* row = new RecentRow(project, d.recentBox);
        connect(row, &RecentRow::clicked, this, [this, path = project.path] { Q_EMIT projectRequested(path); });
        d.recent->addWidget(row);
    }
    d.recent->addStretch(1);
    d.recentHeading->setVisible(!projects.empty());
    d.recentBox->setEnabled(!d.isBusy());
}

void StartScreen::setBusy(const QString& what)
{
    Impl& d = *m_impl;
    const bool idle = what.isEmpty();
    for (QWidget* widget : std::initializer_list<QWidget*>{d.openFile, d.openFolder, d.sample, d.recentBox})
        widget->setEnabled(idle);
    common::showText(d.busyText, what);
    d.busyBar->setVisible(!idle);
}

void StartScreen::dragEnterEvent(QDragEnterEvent* event)
{
    if (m_impl->isBusy() || droppedPath(event->mimeData()).isEmpty())
        return;
    event->acceptProposedAction();
    m_impl->dropping = true;
    update();
}

void StartScreen::dragLeaveEvent(QDragLeaveEvent*)
{
    m_impl->dropping = false;
    update();
}

void StartScreen::dropEvent(QDropEvent* event)
{
    m_impl->dropping = false;
    update();
    const QString path = droppedPath(event->mimeData());
    if (m_impl->isBusy() || path.isEmpty())
        return;
    event->acceptProposedAction();
    Q_EMIT openRequested(path);
}

void StartScreen::paintEvent(QPaintEvent*)
{
    if (!m_impl->dropping)
        return;
    const common::ThemeColours& colours = common::themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colours.accent, 2, Qt::DashLine));
    painter.setBrush(colours.accentSoft);
    painter.drawRoundedRect(rect().adjusted(12, 12, -12, -12), 14, 14);
}

} // namespace voxelscribe::panels
