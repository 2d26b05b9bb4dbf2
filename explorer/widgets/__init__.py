"""How the answers are used: one shared state, one module per view, the assembled explorer."""

from .drill import DrillWidget
from .exercise import ExerciseSheet
from .explorer import TableExplorer
from .picker import TablePicker
from .playback import Playback

__all__ = ["DrillWidget", "ExerciseSheet", "Playback", "TableExplorer", "TablePicker"]
