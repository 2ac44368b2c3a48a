// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMainWindow;
class QMenu;

namespace maskscope {

class AnswerView;
class ImagePanel;
class MaskList;
class MemoryPanel;
class RunPanel;

/// What is docked around the image.
struct Panels {
    ImagePanel* images;
    AnswerView* answer;
    MaskList* masks;
    RunPanel* run;
    MemoryPanel* memory;
};

/// Puts each into a dock where it belongs at first, with a shortcut and an entry in `menu`. The
/// images are hidden until there are several.
void dockPanels(QMainWindow& window, const Panels& panels, QMenu& menu);

} // namespace maskscope
