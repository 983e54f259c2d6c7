"""Scalar series: charts and tables of them, smoothing and thinning."""
