"""Checks on a data directory of The Russian Portfolio, file by file (see ``portfolio.api.validate``)."""
