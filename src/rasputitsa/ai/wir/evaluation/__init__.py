"""The situation as a side knows it, and what a plan would come to."""
