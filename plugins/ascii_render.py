import unicodedata

from taskweaver.plugin import Plugin, register_plugin, test_plugin

HEIGHT = 5
#: Each sign by its rows, from the top.
FONT = """
A .#. #.# ### #.# #.#
B ##. #.# ##. #.# ##.
C .## #.. #.. #.. .##
D ##. #.# #.# #.# ##.
E ### #.. ##. #.. ###
F ### #.. ##. #.. #..
G .## #.. #.# #.# .##
H #.# #.# ### #.# #.#
I ### .#. .#. .#. ###
J ..# ..# ..# #.# .#.
K #.# #.# ##. #.# #.#
L #.. #.. #.. #.. ###
M #...# ##.## #.#.# #...# #...#
N #..# ##.# #.## #..# #..#
O .#. #.# #.# #.# .#.
P ##. #.# ##. #.. #..
Q .##. #..# #..# #.## .###
R ##. #.# ##. #.# #.#
S .## #.. .#. ..# ##.
T ### .#. .#. .#. .#.
U #.# #.# #.# #.# ###
V #.# #.# #.# #.# .#.
W #...# #...# #.#.# ##.## #...#
X #.# #.# .#. #.# #.#
Y #.# #.# .#. .#. .#.
Z ### ..# .#. #.. ###
0 ### #.# #.# #.# ###
1 .#. ##. .#. .#. ###
2 ##. ..# .#. #.. ###
3 ##. ..# .#. ..# ##.
4 #.# #.# ### ..# ..#
5 ### #.. ##. ..# ##.
6 .## #.. ### #.# ###
7 ### ..# .#. .#. .#.
8 ### #.# ### #.# ###
9 ### #.# ### ..# ##.
! # # # . #
? ##. ..# .#. ... .#.
. . . . . #
, .. .. .. .# #.
: . # . # .
' # # . . .
- ... ... ### ... ...
+ ... .#. ### .#. ...
= ... ### ... ### ...
/ ..# ..# .#. #.. #..
( .# #. #. #. .#
) #. .# .# .# #.
"""
SIGNS = {line[0]: line[2:].split(" ") for line in FONT.strip().splitlines()}
SPACE = [".." for _ in range(HEIGHT)]


@register_plugin
class AsciiRender(Plugin):
    def __call__(self, text: str):
        """The text in letters five lines high; a line break begins new ones."""
        return "\n\n".join(self.render_line(line) for line in str(text).splitlines() or [""])

    def render_line(self, line):
        plain = "".join(each for each in unicodedata.normalize("NFKD", line) if not unicodedata.combining(each))
        signs = [SPACE if each == " " else SIGNS.get(each, SIGNS["?"]) for each in plain.upper()]
        rows = (" ".join(sign[row] for sign in signs) for row in range(HEIGHT))
        return "\n".join(row.replace(".", " ").rstrip() for row in rows)


@test_plugin(name="letters", description="two letters side by side")
def test_letters(api_call):
    assert api_call("Hi") == "# # ###\n# #  #\n###  #\n# #  #\n# # ###", api_call("Hi")


@test_plugin(name="accents and lines", description="accents are left out, a line break begins new letters")
def test_lines(api_call):
    assert api_call("É") == api_call("E")
    assert api_call("a\nb") == api_call("a") + "\n\n" + api_call("b")
    assert len(api_call("The 5 signs, (really)!").splitlines()) == HEIGHT
