"""What all pictures share: the page, its marks and words, its colours, and the ways to hand it on."""
