#!/usr/bin/env python3
"""grammar.py ROOT: sentence templates agree in number with counts of 0, 1 and 2.

Reads every template of sentences (reports/words), puts one count in place of every number, and looks for a noun that
stands right behind a number in the wrong form, or with a verb in the wrong form. A template chooses by {one|many},
which goes by the number before it.
"""
import pathlib
import re
import sys

NOUNS = """layer row sample epoch model operator boundary tensor kernel subgraph image token point launch value network
core call device thread edit inference member degree line check operation node transfer finding file pair board
configuration step cycle unit outlier experiment warning""".split()
SINGULAR = "is|has|takes|holds|runs|keeps|differs|matches|needs|says|lies|stands"
PLURAL = "are|have|take|hold|run|keep|differ|match|need|say|lie|stand"


def many(noun):
    return noun[:-1] + "ies" if noun.endswith("y") else noun + ("es" if noun.endswith(("h", "s", "x")) else "s")


ONE_NOUN, MANY_NOUNS = "|".join(NOUNS), "|".join(many(n) for n in NOUNS)
# The verb behind "of 2 layers" goes by what stands before "of".
ONE = re.compile(r"(?<![\w.,])1 (?:(?!of |in )[a-z-]+ )?(?:%s)\b(?!/)|(?<!of )(?<![\w.,])1 (?:%s) (?:%s)\b" %
                 (MANY_NOUNS, ONE_NOUN, PLURAL))
SEVERAL = re.compile(r"(?<![\w.,])[02] (?:%s)(?![\w'-])(?! (?:types?|%s|%s)\b)|(?<!of )(?<![\w.,])[02] (?:%s) (?:%s)\b" %
                     (ONE_NOUN, ONE_NOUN, MANY_NOUNS, MANY_NOUNS, SINGULAR))


def filled(template, n):
    """The template with n in place of every number."""
    template = re.sub(r"\{[.+\d]*%\}", "7", template)  # a share
    text = re.sub(r"\{([^}|]*)\|([^}]*)\}", lambda m: m.group(1 if n == 1 else 2), template)
    text = re.sub(r"\{<\d+\}", "it", text)  # a text
    text = re.sub(r"\{[^}]*\}", str(n), text)
    text = re.sub(r"%[-+#0 ]*\d*(?:u|d|zu|lu|llu)\b", str(n), text)
    text = re.sub(r"(?<=[a-z])%s", "" if n == 1 else "s", text)  # say_plural
    return re.sub(r"%[-+#0 .*\d]*[a-z%]", "it", text)


def literals(path):
    text = path.read_text(encoding="utf8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'"\s*PRIu(?:32|64)\s*"', "u", text)
    text = re.sub(r'"\s*PRIu(?:32|64)', 'u"', text)
    text = re.sub(r'"\s*\n\s*"', "", text)
    return re.findall(r'"((?:[^"\\\n]|\\.)*)"', text)


def main():
    root = pathlib.Path(sys.argv[1])
    paths = list((root / "include/roofline").glob("*.def")) + list((root / "reports/words").glob("*.[cd]*"))
    faults = 0
    for path in sorted(paths):
        for template in literals(path):
            if "{" not in template:
                continue
            for n, wrong in ((1, ONE), (0, SEVERAL), (2, SEVERAL)):
                found = wrong.search(filled(template, n))
                if found:
                    print("%s: '%s' of \"%s\"" % (path.relative_to(root), found.group(0), template[:150]))
                    faults += 1
                    break
    print("%d templates do not agree with their counts" % faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
