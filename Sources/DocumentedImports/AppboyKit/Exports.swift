// Lets files of apps compile that import the documented API by this name.
@_exported import ContentCardsABK
