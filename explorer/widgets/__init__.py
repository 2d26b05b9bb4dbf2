"""How the answers are used: one shared state, one module per view, the assembled explorer."""

from .drill import DrillWidget
from .exercise import ExerciseSheet
from .explorer import TableExplorer
from .picker import TablePicker
from .playback import Playback
from .side_by_side import SideBySidePlayback

__all__ = ["DrillWidget", "ExerciseSheet", "Playback", "SideBySidePlayback", "TableExplorer", "TablePicker"]
