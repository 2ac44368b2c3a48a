// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep_form.h"

#include "ui/convert.h"
#include "ui/size_plan.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace maskscope {

namespace {

constexpr std::int64_t kMiB = 1 << 20;
constexpr int kFieldMargins = 16; ///< of a line's text, both sides together
constexpr int kLargestLimitMiB = 4 * 1024 * 1024;

struct PathText {
    LayerPath path;
    bool chosen;
    const char* tip;
};

constexpr std::array kPathTexts{
    PathText{LayerPath::Mha, true,
        QT_TRANSLATE_NOOP("maskscope::SweepForm",
            "The native fast path in eval mode with autograd off: holds P × P matrices for every "
            "head")},
    PathText{LayerPath::Sdpa, true,
        QT_TRANSLATE_NOOP(
            "maskscope::SweepForm", "Scaled dot-product attention; memory grows linearly")},
    PathText{LayerPath::Flash, true,
        QT_TRANSLATE_NOOP(
            "maskscope::SweepForm", "Flash attention on packed tokens; memory grows linearly")},
    PathText{LayerPath::Ring, false,
        QT_TRANSLATE_NOOP("maskscope::SweepForm", "Flash attention spread over several devices")},
    PathText{LayerPath::CppModule, false,
        QT_TRANSLATE_NOOP("maskscope::SweepForm",
            "torch::nn::MultiheadAttention of C++, which always holds its matrices; fp32 only")},
    PathText{LayerPath::EncoderLayer, false,
        QT_TRANSLATE_NOOP("maskscope::SweepForm",
            "A whole nn.TransformerEncoderLayer on the native path, with norms and MLP")},
};

struct Preset {
    const char* title;
    const char* sizes;
};

constexpr std::array kPresets{
    Preset{QT_TRANSLATE_NOOP("maskscope::SweepForm", "Reference, one layer"),
        "1024, 1944, 2560, 3136, 3952"},
    Preset{QT_TRANSLATE_NOOP("maskscope::SweepForm", "Images of 0.5 to 3 MP"),
        "1944, 3952, 7776, 11616"},
    Preset{QT_TRANSLATE_NOOP("maskscope::SweepForm", "Quick"), "256, 512, 768, 1024"},
};

QSpinBox* spinBox(QWidget* parent, const char* name, int least, int most, int value) {
    auto* box = new QSpinBox(parent);
    box->setObjectName(QString::fromLatin1(name));
    box->setRange(least, most);
    box->setValue(value);
    box->setAccelerated(true);
    return box;
}

QString joined(const std::vector<std::int64_t>& sizes) {
    QStringList texts;
    for (const std::int64_t size : sizes)
        texts += QString::number(size);
    return texts.join(QStringLiteral(", "));
}

} // namespace

Result<std::vector<std::int64_t>> sizesFrom(const QString& text) {
    static const QRegularExpression kApart(QStringLiteral("[,;\\s]+"));
    static const QRegularExpression kMegapixels(
        QStringLiteral("^(\\d{1,3}(?:\\.\\d+)?)MP$"), QRegularExpression::CaseInsensitiveOption);
    std::vector<std::int64_t> sizes;
    for (const QString& part : text.split(kApart, Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const qlonglong patches = part.toLongLong(&isNumber);
        const auto megapixels = kMegapixels.match(part);
        if (isNumber && patches > 0)
            sizes.push_back(patches);
        else if (megapixels.hasMatch() && megapixels.captured(1).toDouble() > 0)
            sizes.push_back(
                patchesOf(static_cast<std::int64_t>(megapixels.captured(1).toDouble() * 1e6)));
        else
            return Error{ErrorKind::Usage,
                toStdString(SweepForm::tr("“%1” is no number of patches: give some such as "
                                          "1024, 1944, or image sizes such as 0.5MP.")
                                .arg(part.left(20)))};
    }
    if (sizes.empty())
        return Error{ErrorKind::Usage,
            toStdString(
                SweepForm::tr("Give the numbers of patches to measure, such as 1024, 1944."))};
    return sizes;
}

SweepForm::SweepForm(QWidget* parent)
    : QWidget(parent)
    , m_reason(new QLabel(this))
    , m_preset(new QComboBox(this))
    , m_sizes(new QLineEdit(this))
    , m_blocks(spinBox(this, "blocksBox", 0, 1000, 0))
    , m_heads(spinBox(this, "headsBox", 1, 1024, 16))
    , m_width(spinBox(this, "widthBox", 1, 65536, 1024))
    , m_precision(new QComboBox(this))
    , m_threads(spinBox(this, "threadsBox", 0, 1024, 0))
    , m_repeats(spinBox(this, "repeatsBox", 1, 1000, 3))
    , m_limit(spinBox(this, "sweepLimitBox", 0, kLargestLimitMiB, 0))
    , m_preflight(new QCheckBox(tr("Refuse what would not fit"), this)) {
    setObjectName(QStringLiteral("sweepForm"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(12, 8, 12, 8);
    form->setVerticalSpacing(6);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(makePaths());
    makeFields();
    form->addRow(tr("Si&zes"), m_preset);
    auto* patches = new QLabel(tr("&Patches"), this);
    patches->setBuddy(m_sizes);
    form->addRow(patches); // above the field, which needs the whole width
    form->addRow(m_sizes);
    form->addRow(tr("&Measure"), m_blocks);
    form->addRow(tr("Hea&ds"), m_heads);
    form->addRow(tr("&Width"), m_width);
    form->addRow(tr("Pre&cision"), m_precision);
    form->addRow(tr("&Threads"), m_threads);
    form->addRow(tr("Repe&ats"), m_repeats);
    form->addRow(tr("Memory &limit"), m_limit);
    form->addRow(m_preflight);
    connectFields();
    fillPreset();
}

QWidget* SweepForm::makePaths() {
    auto* group = new QWidget(this);
    auto* list = new QVBoxLayout(group);
    list->setContentsMargins(0, 0, 0, 0);
    list->setSpacing(3);
    auto* title = new QLabel(tr("Paths to measure"), group);
    list->addWidget(title);
    for (const PathText& entry : kPathTexts) {
        auto* box = new QCheckBox(toQString(nameOf(entry.path)), group);
        box->setObjectName(QStringLiteral("path_") + box->text());
        box->setToolTip(toolTipText(tr(entry.tip)));
        box->setChecked(entry.chosen);
        list->addWidget(box);
        m_paths.push_back({entry.path, box});
    }
    m_reason->setObjectName(QStringLiteral("pathReason"));
    m_reason->setTextFormat(Qt::PlainText);
    m_reason->setWordWrap(true);
    m_reason->setForegroundRole(QPalette::PlaceholderText);
    m_reason->hide();
    list->addWidget(m_reason);
    return group;
}

void SweepForm::makeFields() {
    m_preset->setObjectName(QStringLiteral("presetBox"));
    for (const Preset& preset : kPresets)
        m_preset->addItem(tr(preset.title), QString::fromLatin1(preset.sizes));
    m_preset->addItem(tr("Own"));
    m_sizes->setObjectName(QStringLiteral("sizesEdit"));
    m_sizes->setMinimumWidth(
        fontMetrics().horizontalAdvance(QLatin1StringView(kPresets.front().sizes)) + kFieldMargins);
    m_sizes->setToolTip(
        tr("Numbers of patches of 16 × 16 pixels, with commas; 2MP is a 3:2 picture "
           "of that size"));
    m_blocks->setSpecialValueText(tr("One attention layer"));
    m_blocks->setSuffix(tr(" decoder blocks"));
    m_blocks->setToolTip(tr("The attention layer alone, or so many whole decoder blocks with MLP"));
    m_heads->setToolTip(tr("Attention heads; they divide the width"));
    m_width->setSingleStep(64);
    m_width->setToolTip(tr("Width of a patch's vector"));
    m_precision->setObjectName(QStringLiteral("precisionBox"));
    for (const Precision precision : {Precision::Float32, Precision::BFloat16, Precision::Float16})
        m_precision->addItem(toQString(nameOf(precision)), static_cast<int>(precision));
    m_precision->setToolTip(tr("Of the layer and its tensors"));
    m_threads->setSpecialValueText(tr("As the machine has"));
    m_threads->setToolTip(tr("Threads of the computation; each has scratch of its own"));
    m_repeats->setToolTip(tr("Repeats of which the time is the median"));
    m_limit->setSingleStep(256);
    m_limit->setSuffix(QStringLiteral(" MiB"));
    m_limit->setSpecialValueText(tr("Automatic"));
    m_limit->setToolTip(
        tr("The most memory that tensors may take; automatic is 90 % of what is free"));
    m_preflight->setObjectName(QStringLiteral("preflightBox"));
    m_preflight->setChecked(true);
    m_preflight->setToolTip(
        tr("Without it a point that does not fit is run until the memory really ends, as a real "
           "out-of-memory does; only its own process dies"));
}

void SweepForm::connectFields() {
    for (const PathBox& entry : m_paths)
        connect(entry.box, &QCheckBox::toggled, this, &SweepForm::changed);
    for (QSpinBox* box : {m_blocks, m_heads, m_width, m_threads, m_repeats, m_limit})
        connect(box, &QSpinBox::valueChanged, this, &SweepForm::changed);
    connect(m_preset, &QComboBox::activated, this, &SweepForm::fillPreset);
    connect(m_sizes, &QLineEdit::textChanged, this, [this] {
        showPreset();
        Q_EMIT changed();
    });
    connect(m_precision, &QComboBox::currentIndexChanged, this, &SweepForm::changed);
    connect(m_preflight, &QCheckBox::toggled, this, &SweepForm::changed);
}

void SweepForm::fillPreset() {
    const QString sizes = m_preset->currentData().toString();
    if (sizes.isEmpty()) {
        m_sizes->setFocus();
        return;
    }
    m_sizes->setText(sizes);
    m_sizes->setCursorPosition(0);
}

void SweepForm::showPreset() {
    const int known = m_preset->findData(m_sizes->text());
    m_preset->setCurrentIndex(known >= 0 ? known : m_preset->count() - 1);
}

Result<SweepPlan> SweepForm::plan() const {
    SweepPlan plan;
    for (const PathBox& entry : m_paths)
        if (entry.box->isChecked() && entry.available)
            plan.paths.push_back(entry.path);
    if (plan.paths.empty())
        return Error{ErrorKind::Usage, toStdString(tr("Choose at least one path to measure."))};
    Result<std::vector<std::int64_t>> sizes = sizesFrom(m_sizes->text());
    if (!sizes)
        return sizes.error();
    plan.patches = std::move(sizes).value();
    LayerShape& shape = plan.point.shape;
    shape.blocks = m_blocks->value();
    shape.heads = m_heads->value();
    shape.width = m_width->value();
    shape.precision = static_cast<Precision>(m_precision->currentData().toInt());
    plan.point.threads = m_threads->value();
    plan.point.repeats = m_repeats->value();
    plan.point.preflight = m_preflight->isChecked() ? Preflight::On : Preflight::Off;
    if (m_limit->value() > 0)
        plan.point.memoryLimit = m_limit->value() * kMiB;
    try {
        for (const LayerPath path : plan.paths)
            for (const std::int64_t patches : plan.patches)
                checkLayer(pointAt(plan, path, patches).shape);
    } catch (const Failure& failure) {
        return failure.error();
    }
    return plan;
}

void SweepForm::setPlan(const SweepPlan& plan) {
    for (const PathBox& entry : m_paths)
        entry.box->setChecked(
            std::find(plan.paths.begin(), plan.paths.end(), entry.path) != plan.paths.end());
    m_sizes->setText(joined(plan.patches));
    m_sizes->setCursorPosition(0);
    const LayerShape& shape = plan.point.shape;
    m_blocks->setValue(static_cast<int>(shape.blocks));
    m_heads->setValue(static_cast<int>(shape.heads));
    m_width->setValue(static_cast<int>(shape.width));
    m_precision->setCurrentIndex(m_precision->findData(static_cast<int>(shape.precision)));
    m_threads->setValue(plan.point.threads);
    m_repeats->setValue(plan.point.repeats);
    m_limit->setValue(static_cast<int>(plan.point.memoryLimit.value_or(0) / kMiB));
    m_preflight->setChecked(plan.point.preflight == Preflight::On);
}

void SweepForm::setCapabilities(const std::vector<AttentionCapability>& capabilities) {
    QStringList reasons;
    for (const AttentionCapability& capability : capabilities)
        for (PathBox& entry : m_paths)
            if (attentionPathOf(entry.path) == capability.path) {
                entry.available = capability.available;
                entry.box->setEnabled(capability.available);
                if (!capability.available)
                    reasons += tr("%1 is not available: %2.")
                                   .arg(entry.box->text(), toQString(capability.reason));
            }
    m_reason->setText(reasons.join(u'\n'));
    m_reason->setVisible(!reasons.isEmpty());
}

bool SweepForm::offers(LayerPath path) const {
    for (const PathBox& entry : m_paths)
        if (entry.path == path)
            return entry.available;
    return false;
}

} // namespace maskscope
