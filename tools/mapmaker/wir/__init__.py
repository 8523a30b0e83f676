"""The map of War in Russia: its own frame, countries, rails and fronts on the shared machinery."""
