"""Whole campaigns of War in Russia between computer players, and the course of the war."""
