"""A bot that plays any legal move."""

import overtrick


def choose(view):
    return view.pick(view.legal)


if __name__ == "__main__":
    overtrick.run("simple", choose)
