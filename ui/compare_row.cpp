// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare_row.h"

#include "ui/convert.h"
#include "ui/icons.h"
#include "ui/megapixel_box.h"
#include "ui/ring_box.h"
#include "ui/size_plan.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>
#include <algorithm>

namespace maskscope {

namespace {

constexpr int kMark = 12; ///< pixels of the colour's mark

/// What in the row is not as the question has it.
std::string titleOf(const RunHeader& header, const RunHeader& question) {
    const RunSettings& settings = header.settings;
    std::string title(nameOf(settings.attention));
    if (settings.attention == AttentionPath::Ring)
        title += " of " + std::to_string(settings.ringDevices.size());
    if (settings.precision != Precision::Auto)
        title += ", " + std::string(nameOf(settings.precision));
    if (settings.pixels != question.settings.pixels)
        title += ", "
            + toStdString(megapixelText(settings.pixels).replace(QChar(QChar::Nbsp), QChar(u' ')));
    if (settings.threads != question.settings.threads)
        title += ", " + std::to_string(settings.threads)
            + (settings.threads == 1 ? " thread" : " threads");
    if (header.device != question.device)
        title += ", " + header.device;
    if (settings.kvCache == KvCacheMode::Off)
        title += ", without KV cache";
    return title;
}

} // namespace

CompareRow::CompareRow(AttentionPath path, QWidget* parent)
    : QWidget(parent)
    , m_mark(new QLabel(this))
    , m_path(new QComboBox(this))
    , m_precision(new QComboBox(this))
    , m_ranks(new RingBox(this))
    , m_size(new MegapixelBox(tr("Size of the request"), this))
    , m_threads(new QSpinBox(this))
    , m_device(new QComboBox(this))
    , m_cache(new QCheckBox(tr("KV cache"), this))
    , m_remove(new QToolButton(this)) {
    fill(path);
    arrange();
    for (QComboBox* box : {m_path, m_precision, m_device})
        connect(box, &QComboBox::currentIndexChanged, this, &CompareRow::changed);
    connect(m_path, &QComboBox::currentIndexChanged, this, &CompareRow::showRanks);
    connect(m_ranks, &QSpinBox::valueChanged, this, &CompareRow::changed);
    connect(m_size, &MegapixelBox::valueChanged, this, &CompareRow::changed);
    connect(m_threads, &QSpinBox::valueChanged, this, &CompareRow::changed);
    connect(m_cache, &QCheckBox::toggled, this, &CompareRow::changed);
    connect(m_remove, &QToolButton::clicked, this, &CompareRow::removeRequested);
}

void CompareRow::fill(AttentionPath path) {
    m_mark->setToolTip(tr("Its colour in the graph"));
    for (const AttentionPath each : {AttentionPath::Auto, AttentionPath::Mha, AttentionPath::Sdpa,
             AttentionPath::Flash, AttentionPath::Ring})
        m_path->addItem(toQString(nameOf(each)), int(each));
    setAttention(path);
    m_ranks->setObjectName(QStringLiteral("rowRanks"));
    m_path->setObjectName(QStringLiteral("rowPath"));
    m_path->setAccessibleName(tr("Attention path"));
    m_path->setToolTip(tr("Attention of the mask decoder"));
    for (const Precision each :
        {Precision::Auto, Precision::Float32, Precision::BFloat16, Precision::Float16})
        m_precision->addItem(
            each == Precision::Auto ? tr("auto precision") : toQString(nameOf(each)), int(each));
    m_precision->setObjectName(QStringLiteral("rowPrecision"));
    m_precision->setAccessibleName(tr("Precision"));
    m_size->setObjectName(QStringLiteral("rowSize"));
    m_size->setAccessibleName(tr("Image size"));
    m_size->setToolTip(tr("At which the model sees the image"));
    m_threads->setObjectName(QStringLiteral("rowThreads"));
    m_threads->setRange(0, 1024);
    m_threads->setSpecialValueText(tr("All threads"));
    m_threads->setSuffix(tr(" threads"));
    m_threads->setAccessibleName(tr("Threads"));
    m_threads->setToolTip(tr("Threads of the computation"));
    m_device->setObjectName(QStringLiteral("rowDevice"));
    m_device->setAccessibleName(tr("Device"));
    m_device->addItem(QStringLiteral("cpu"));
    m_device->hide(); // until there is another
    m_cache->setObjectName(QStringLiteral("rowCache"));
    m_cache->setChecked(true);
    m_cache->setToolTip(tr("Keeps keys and values of earlier tokens"));
    m_remove->setIcon(icon(QStringLiteral("clear")));
    m_remove->setAutoRaise(true);
    m_remove->setToolTip(tr("Leave this configuration out"));
    m_remove->setAccessibleName(m_remove->toolTip());
}

void CompareRow::arrange() {
    for (QWidget* box : std::initializer_list<QWidget*>{m_path, m_precision, m_size, m_threads})
        box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    grid->addWidget(m_mark, 0, 0);
    grid->addWidget(m_path, 0, 1);
    grid->addWidget(m_precision, 0, 2);
    grid->addWidget(m_remove, 0, 3);
    grid->addWidget(m_size, 1, 1);
    grid->addWidget(m_threads, 1, 2);
    grid->addWidget(m_cache, 2, 1);
    grid->addWidget(m_device, 2, 2);
    grid->addWidget(m_ranks, 3, 1, 1, 2);
    showRanks();
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
}

void CompareRow::setColour(const QColor& colour) {
    QPixmap mark(kMark, kMark);
    mark.fill(colour);
    m_mark->setPixmap(mark);
}

void CompareRow::setRemovable(bool removable) {
    m_remove->setEnabled(removable);
}

void CompareRow::setCapabilities(const std::vector<AttentionCapability>& capabilities) {
    auto* items = qobject_cast<QStandardItemModel*>(m_path->model());
    for (const AttentionCapability& capability : capabilities) {
        const int index = m_path->findData(int(capability.path));
        if (index < 0)
            continue;
        items->item(index)->setEnabled(capability.available);
        items->item(index)->setToolTip(toolTipText(toQString(capability.reason)));
    }
}

void CompareRow::setDevices(const std::vector<DeviceInfo>& devices) {
    if (devices.empty())
        return;
    const QString chosen = m_device->currentText();
    m_device->clear();
    for (const DeviceInfo& device : devices)
        if (device.available)
            m_device->addItem(toQString(device.name));
    m_device->setCurrentIndex(std::max(0, m_device->findText(chosen)));
    m_device->setVisible(m_device->count() > 1);
}

void CompareRow::setMostPixels(std::int64_t pixels) {
    m_size->setMostPixels(pixels);
}

void CompareRow::setAttention(AttentionPath path) {
    m_path->setCurrentIndex(m_path->findData(int(path)));
}

void CompareRow::showRanks() {
    const auto path = static_cast<AttentionPath>(m_path->currentData().toInt());
    m_ranks->setVisible(path == AttentionPath::Ring);
}

void CompareRow::setPixels(std::int64_t pixels) {
    m_size->setPixels(pixels);
}

RunHeader CompareRow::header(const RunHeader& question) const {
    RunHeader header = question;
    header.settings.attention = static_cast<AttentionPath>(m_path->currentData().toInt());
    if (header.settings.attention == AttentionPath::Ring)
        header.settings.ringDevices = m_ranks->devices();
    header.settings.precision = static_cast<Precision>(m_precision->currentData().toInt());
    header.settings.kvCache = m_cache->isChecked() ? KvCacheMode::On : KvCacheMode::Off;
    if (m_size->pixels() > 0)
        header.settings.pixels = m_size->pixels();
    if (m_threads->value() > 0)
        header.settings.threads = m_threads->value();
    if (m_device->count() > 1)
        header.device = toStdString(m_device->currentText());
    header.title = titleOf(header, question);
    return header;
}

} // namespace maskscope
