import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--to")
parser.add_argument("--output")
print(parser.parse_args())
