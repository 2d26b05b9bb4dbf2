"""The tests are a package so that one may import another's ground: `from tests.benchmarks.generate import …`."""
