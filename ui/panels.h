// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMainWindow;
class QMenu;

namespace maskscope {

class AnswerView;
class MaskList;
class MemoryPanel;
class RunPanel;

/// What is docked around the image.
struct Panels {
    AnswerView* answer;
    MaskList* masks;
    RunPanel* run;
    MemoryPanel* memory;
};

/// Puts each into a dock where it belongs at first, with a shortcut and an entry in `menu`.
void dockPanels(QMainWindow& window, const Panels& panels, QMenu& menu);

} // namespace maskscope
